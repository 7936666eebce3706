"""Nothing secret outside: a whole match is played, and all that it leaves anywhere is searched.

Protocol 4, 5.5, 6 and 7.6: nobody but its owner reads a hand, a hidden cup card, a card secret, an
identity seed, or A's coin before `begin`, wherever he looks.
"""

from __future__ import annotations

import json
import traceback
from collections.abc import Iterator

import pytest

from mbp import gamefile
from mbp.canonical import canonical
from mbp.cards.pile import format_card
from mbp.chain import Entry
from mbp.curve import Q, card_point, scalar_to_bytes
from mbp.errors import KeyringError
from mbp.match import Match, Pen, invite, secret_of
from mbp.rules.contract import SEATS, Seat, other
from tests.leaks import forms, leaks, names_card, point_forms, word_forms
from tests.watched_match import GAME, IDENTITIES, PASSPHRASE, Moment, Table, chance, watched_match
from tests.world.players import NAMES, NOON, match_files


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Table:
    """The table after a whole match."""
    return watched_match(tmp_path_factory.mktemp("table"), tmp_path_factory.mktemp("scratch"))


def card_secrets(match: Match) -> dict[Seat, int]:
    return {seat: secret_of(match.position, seat, IDENTITIES[seat]) for seat in match.players}


def lasting_secrets(match: Match) -> dict[str, frozenset[bytes]]:
    """What must never be seen, whatever the moment."""
    found = {"passphrase": word_forms(PASSPHRASE)}
    for seat, secret in card_secrets(match).items():
        found[f"seed {seat}"] = forms(IDENTITIES[seat].seed)
        found[f"k {seat}"] = forms(scalar_to_bytes(secret))
        found[f"1/k {seat}"] = forms(scalar_to_bytes(pow(secret, -1, Q)))
    return found


def places(moment: Moment) -> list[tuple[str, bytes]]:
    """Everything that can be read at a moment, once: each file, and what was said."""
    read = {data: name for name, data in moment.disk.items() if data}
    names = "\n".join(moment.disk).encode()
    return [("texts", moment.texts), ("names", names), *((n, d) for d, n in read.items())]


def closed_cards(match: Match) -> Iterator[tuple[Seat, tuple[int, int], int]]:
    """Every closed card in a hand or cup: its owner, its slot, the card."""
    secrets, at = card_secrets(match), match.position.table
    for name, slots in at.zones.items():
        owner = GAME.zones[name].owner
        for slot in slots:
            pile = at.pile_of(slot)
            if owner and slot not in at.cards and pile.masked:
                card = pile.read_both(secrets[pile.first], secrets[pile.second], slot[1])
                yield owner, slot, card


# --- the search -----------------------------------------------------------------------------------


def test_4_no_secret_of_a_key_lies_anywhere(table: Table) -> None:
    assert len(table.moments) > 8
    for moment in table.moments:
        secrets = lasting_secrets(moment.match)
        for name, data in places(moment):
            allowed = set()
            if name == "homes/A/identity.pem":
                allowed = {"seed A"}
            if moment.label == "disclosed" and (name, "A") in (
                *((file, "A") for file in match_files(moment.disk)),
                ("texts", "A"),
            ):
                allowed = {"k A"}
            assert leaks(data, secrets) <= allowed, (moment.label, name)


def test_the_search_finds_what_is_there(table: Table) -> None:
    last = table.moments[-1]
    secrets = lasting_secrets(last.match)
    assert leaks(last.disk["homes/A/identity.pem"] or b"", secrets) == {"seed A"}
    assert leaks(table.file("A").read_bytes(), secrets) == {"k A"}
    number = card_secrets(last.match)["B"]
    for text in (f"secret={number}", f"{number:x}", f"{number:064X}"):
        assert leaks(text.encode(), secrets) == {"k B"}
    assert leaks(f"my {PASSPHRASE}!".encode(), secrets) == {"passphrase"}


def test_no_temporary_file_holds_a_secret(table: Table) -> None:
    secrets = lasting_secrets(table.moments[-1].match)
    before_disclosed = [data for data in table.written if b"\ndisclosed:" not in data]
    assert len(before_disclosed) > 100
    assert leaks(b"\n".join(before_disclosed), secrets) == set()


def test_3_the_inviters_coin_is_closed_until_begin(table: Table) -> None:
    seen = []
    for moment in table.moments:
        coin = {"coin": forms(IDENTITIES["A"].coin("A", moment.match.position.nonce))}
        shown = any(leaks(data, coin) for _, data in places(moment))
        seen.append((len(moment.match.log) < 3, shown))
    assert set(seen) == {(True, False), (False, True)}


def test_3_the_guests_coin_is_closed_until_he_accepts(table: Table) -> None:
    first = table.moments[0]
    coin = {"coin": forms(IDENTITIES["B"].coin("B", bytes.fromhex(first.match.id)))}
    assert not any(leaks(data, coin) for _, data in places(first))


def test_6_no_closed_card_is_named_anywhere(table: Table) -> None:
    searched = 0
    for moment in table.moments:
        at = moment.match.position.table
        opened = {format_card(card) for pile in at.piles for card in pile.opened.values()}
        closed = list(closed_cards(moment.match))
        points = {
            format_card(card): point_forms(card_point(pile, card)) for _, (pile, _), card in closed
        }
        everything = places(moment)
        for name, data in everything:
            assert leaks(data, points) == set(), (moment.label, name)
        for _, (pile, place), card in closed:
            for name, data in everything:
                if format_card(card) not in opened:
                    assert not names_card(data, format_card(card)), (moment.label, name)
                assert f'"{pile}:{place}": "{format_card(card)}"'.encode() not in data
            searched += 1
    assert searched > 80


def test_6_opened_cards_are_named(table: Table) -> None:
    """The search for names would find one."""
    moment = table.moments[3]
    opened = moment.match.position.table.cards.values()
    data = table.file("A").read_bytes()
    assert opened
    assert all(names_card(data, format_card(card)) for card in opened)


def test_a_view_shows_the_own_cards_and_no_others(table: Table) -> None:
    for moment in table.moments:
        match = moment.match.at(len(moment.match.log) - 1)  # without what was disclosed
        secrets, at = card_secrets(match), match.position.table
        for seat in (*match.players, None):
            known = {seat: secrets[seat]} if seat else {}
            _, sight = match.seen(known)
            for name, slots in at.zones.items():
                owner = GAME.zones[name].owner
                for slot, colour in zip(slots, sight[name], strict=True):
                    if slot in at.cards:
                        assert colour == at.colour_of(slot)
                    elif owner and owner != seat:
                        assert colour is None


def test_show_json_has_null_for_every_closed_card_of_the_other(table: Table) -> None:
    closed = 0
    for seat, match, text in table.boards:
        board, at, theirs = json.loads(text)["board"], match.position.table, other(seat)
        if board is None:
            assert match.position.state is None
            continue
        for name in ("hand", "cup"):
            shown = board["seats"][theirs][name]
            slots = at.zones[f"{name} {theirs}"]
            disclosed = theirs in match.disclosed
            hidden = 0 if disclosed else sum(slot not in at.cards for slot in slots)
            assert (len(shown), shown.count(None)) == (len(slots), hidden)
            closed += hidden
    assert closed > 20


# --- what sizes and slots tell --------------------------------------------------------------------


def opened_match(label: str) -> Match:
    """A match up to the first move, which is Anna's."""
    draw = chance(label)
    pens = {seat: Pen(IDENTITIES[seat], NOON, draw) for seat in SEATS}
    players = {seat: {"name": NAMES[seat], "key": IDENTITIES[seat].text} for seat in SEATS}
    options = {"start": "inviter", "draw": "full", "deck_end": "last_mandala", "pace": "7"}
    match = invite(GAME, options, players["A"], "", draw(32), pens["A"])
    match = match.accepted(players["B"], pens["B"])
    return match.played("A", "begin", pens["A"])


def hand_of(match: Match, seat: Seat) -> list[int]:
    _, sight = match.seen({seat: card_secrets(match)[seat]})
    return [colour for colour in sight[GAME.hands[seat]] if colour is not None]


def plain_size(entry: Entry) -> tuple[int, ...]:
    """The bytes of an entry, but for its words, and of all it pays, every number of one width."""
    cards = {**entry.cards}
    gives, opens = cards.pop("give", {}), cards.pop("open", {})
    rest = canonical({**entry.tree, "act": entry.verb, "cards": cards})
    paid = (*gives.values(), *opens.values())
    return (len(rest), *(max(len(value), 3) for value in paid))


def test_7_entries_of_hands_of_one_size_have_one_size() -> None:
    sizes: list[list[tuple[int, ...]]] = []
    hands = []
    for number in range(3):
        match = opened_match(f"sizes {number}")
        hands.append(tuple(sorted(hand_of(match, "A"))))
        for seat in ("A", "B", "A", "B"):
            match = step(match, seat)
        sizes.append([plain_size(entry) for entry in match.log])
    assert len(set(hands)) == 3
    assert sizes[0] == sizes[1] == sizes[2]


def step(match: Match, seat: Seat) -> Match:
    """Whatever is due for a seat: a deal, or one card onto the second mountain."""
    draw = chance(f"step {len(match.log)}")
    pen = Pen(IDENTITIES[seat], NOON, draw)
    if match.position.duty == "deal":
        return match.played(seat, "deal", pen)
    state, _ = match.seen({seat: card_secrets(match)[seat]})
    moves = GAME.legal_moves(state, hand_of(match, seat))
    acts = [GAME.format(state, move) for move in moves]
    return match.played(seat, next(act for act in acts if act.startswith("mountain")), pen)


def test_7_6_chance_chooses_among_equal_cards() -> None:
    match = opened_match("equal cards 1")
    hand = hand_of(match, "A")
    colour = max(set(hand), key=hand.count)
    equal = hand.count(colour)
    assert equal >= 2
    state, _ = match.seen({"A": card_secrets(match)["A"]})
    acts = [GAME.format(state, move) for move in GAME.legal_moves(state, [colour])]
    act = next(act for act in acts if act.startswith("mountain"))
    counts: dict[int, int] = {}
    for number in range(60):
        pen = Pen(IDENTITIES["A"], NOON, chance(f"choice {number}"))
        played = match.played("A", act, pen).log[-1].cards["open"]
        (place,) = [int(slot[2:]) for slot in played if 4 <= int(slot[2:]) < 10]
        counts[place] = counts.get(place, 0) + 1
    assert len(counts) == equal
    # 60 fair choices among n leave each out of this range with a chance below 1 in 10,000.
    assert all(60 / equal / 3 < count < 60 * (1 - 1 / equal / 3) for count in counts.values())


def test_a_wrong_passphrase_is_not_repeated_in_the_error(table: Table) -> None:
    desk = table.desks["B"]
    wrong = PASSPHRASE.title()
    with pytest.raises(KeyringError) as failure:
        desk.home.identity(lambda: wrong)
    text = "".join(traceback.format_exception(failure.value)) + failure.value.hint
    assert not leaks(text.encode(), {"wrong": word_forms(wrong)})


def test_the_game_file_is_what_the_memory_holds(table: Table) -> None:
    """Nothing that the search has not seen goes with the file: it is the memory, byte by byte."""
    for seat, desk in table.desks.items():
        data = table.file(seat).read_bytes()
        assert desk.home.remembered(gamefile.load(data).game_id) == data
