"""Protocol 7 and 8: who holds the pen, what it owes, and acts of play."""

from __future__ import annotations

from typing import Any

import pytest

from mbp.cards.equality import Pair
from mbp.cards.pile import format_card
from mbp.chain import Entry, from_text, to_text
from mbp.match import Match, Position, replay, secret_of
from mbp.match.table import Slot, slot_text
from mbp.match.write import write_entry
from mbp.rules.contract import COLOURS, Seat, other
from mbp.rules.mandala.state import Discard, Field, Mountain
from tests.correspondents import OPTIONS, Duel, refused_next, reproved, resealed

UP_TO = {**OPTIONS, "draw": "up_to"}


@pytest.fixture(scope="module")
def duel() -> Duel:
    return Duel("protocol 7")


@pytest.fixture(scope="module")
def match(duel: Duel) -> Match:
    """A whole match."""
    return duel.finished(duel.begun())


def lie(duel: Duel, match: Match, entry: Entry, pairs: list[Pair]) -> Entry:
    """The entry, proved anew for these pairs by its author."""
    identity = duel.identity(entry.by)
    secret = secret_of(match.position, entry.by, identity)
    key = match.players[entry.by].card_key
    return reproved(entry, pairs, secret, identity, key, duel.dice)


def pairs_of(match: Match, entry: Entry) -> dict[str, Pair]:
    """The pairs of an entry's gives and opens, by `give 0:20`, in their order."""
    table, found = match.position.table, {}
    for what in ("give", "open"):
        items = [(table.find_slot(name), text) for name, text in entry.cards.get(what, {}).items()]
        piles = list(table.piles)
        for slot, text in sorted(items, key=lambda item: item[0] or (0, 0)):
            assert slot is not None
            pile = piles[slot[0]]
            if what == "give":
                found[f"give {slot_text(slot)}"] = pile.give_pair(entry.by, slot[1], text)
            else:
                card = next(c for c in pile.cards if format_card(c) == text)
                found[f"open {slot_text(slot)}"] = pile.open_pair(entry.by, slot[1], card)
    return found


def without(entry: Entry, what: str, slot: str) -> Entry:
    """The entry without one give or open, its proof not made anew."""
    cards = {**entry.cards, what: {k: v for k, v in entry.cards[what].items() if k != slot}}
    kept = {name: value for name, value in cards.items() if value}
    return Entry({**entry.tree, "cards": kept})


def mover_of(position: Position) -> Seat:
    assert position.state is not None
    assert position.state.mover is not None
    return position.state.mover


# 7.1 the pen


def test_7_1_the_pen_is_the_movers_who_has_all_cards(match: Match) -> None:
    for moment in match.moments[2:]:
        position = moment.position
        if position.duty == "play":
            assert position.pen == mover_of(position)
            assert not position.table.waits(mover_of(position))


def test_7_1_pen_is_with_the_other_player_who_owes_a_give(match: Match) -> None:
    waiting = [m.position for m in match.moments[2:] if m.position.duty == "deal"]
    dealt = [p for p in waiting if not p.play_over]
    assert dealt
    for position in dealt:
        mover = mover_of(position)
        assert position.table.waits(mover)
        assert position.pen == (other(mover) if position.table.pays(other(mover)) else mover)


def test_7_1_after_the_end_the_pen_is_with_whoever_has_closed_cups(match: Match) -> None:
    closing = [m for m in match.moments if m.position.play_over]
    assert [m.position.pen for m in closing[:-1]] == [m.entry.by for m in closing[1:]]
    assert closing[-1].position.pen is None
    for moment in closing[:-1]:
        assert moment.position.pen is not None
        assert moment.position.table.cups_due(moment.position.pen)
        assert moment.position.outcome is None


def test_7_1_nobody_else_may_write(duel: Duel, match: Match) -> None:
    for seq in range(3, len(match.log)):
        entry = match.log[seq]
        wrong = resealed(entry, duel.identity(other(entry.by)), by=other(entry.by))
        assert refused_next(match.at(seq - 1), wrong) == (4, seq, other(entry.by))


def test_7_1_a_deal_where_a_move_is_due_and_the_reverse(duel: Duel, match: Match) -> None:
    for seq in range(3, len(match.log)):
        entry = match.log[seq]
        act = "mountain 1 red" if entry.verb == "deal" else "deal"
        wrong = resealed(entry, duel.identity(entry.by), act=act)
        assert refused_next(match.at(seq - 1), wrong) == (4, seq, entry.by)


def test_7_1_when_nothing_is_owed_nothing_may_follow(duel: Duel, match: Match) -> None:
    assert match.pen is None
    entry = match.log[-1]
    count = len(match.log)
    for act in ("deal", "resign", "claim", "agree", "vacation 1", "mountain 1 red"):
        for seat in ("A", "B"):
            identity = duel.identity("A" if seat == "A" else "B")
            more = resealed(
                entry, identity, by=seat, act=act, seq=str(count), prev=entry.id, cards=None
            )
            assert refused_next(match, more) == (4, count, seat)


def test_7_1_a_mover_who_can_open_a_face_up_card_does_so_in_the_move(match: Match) -> None:
    begin = match.log[2]
    assert {f"0:{n}" for n in range(4)} <= set(begin.cards["open"])
    opened = 0
    for before, moment in zip(match.moments[2:], match.moments[3:], strict=False):
        faced = before.position.table.face_up_due(moment.entry.by)
        if before.position.play_over:
            continue
        names = {slot_text(slot) for slot in faced}
        assert names <= set(moment.entry.cards.get("open", {}))
        opened += len(names)
    assert opened


# 7.2 what is owed


def test_7_2_less_than_owed_is_refused(duel: Duel, match: Match) -> None:
    """Every give and every open of a match, left out by its author with a proof that holds."""
    seen = 0
    for seq in range(3, min(len(match.log), 30)):
        before, entry = match.at(seq - 1), match.log[seq]
        pairs = pairs_of(before, entry)
        for name in pairs:
            what, slot = name.split()
            rest = [pair for other_name, pair in pairs.items() if other_name != name]
            wrong = lie(duel, before, without(entry, what, slot), rest)
            assert refused_next(before, wrong) == (8, seq, entry.by), (entry.act, name)
            seen += 1
    assert seen > 20


def test_7_2_more_than_owed_is_refused(duel: Duel, match: Match) -> None:
    """A card of the deck given before anybody drew it, and one of the own hand shown."""
    before = duel.at_play(match.at(2))
    seq = len(before.log)
    seat = before.pen
    assert seat
    entry = duel.step(before).log[-1]
    table = before.position.table
    slot: Slot = table.deck[-1]
    pile = table.pile_of(slot)
    secret = secret_of(before.position, seat, duel.identity(seat))
    text = pile.find_give(seat, secret, slot[1])
    gives = {**entry.cards.get("give", {}), slot_text(slot): text}
    pairs = pairs_of(before, entry)
    more = {**pairs, f"give {slot_text(slot)}": pile.give_pair(seat, slot[1], text)}
    order = [name for name in more if name.startswith("give")]
    order += [name for name in more if name.startswith("open")]
    wrong = Entry({**entry.tree, "cards": {**entry.cards, "give": gives}})
    assert refused_next(before, lie(duel, before, wrong, [more[n] for n in order])) == (
        8,
        seq,
        seat,
    )

    hand = [s for s in table.zones[f"hand {seat}"] if slot_text(s) not in entry.cards["open"]]
    shown = pile.read(seat, secret, hand[0][1])
    assert shown is not None
    opens = {**entry.cards["open"], slot_text(hand[0]): format_card(shown)}
    more = {**pairs, f"open {slot_text(hand[0])}": pile.open_pair(seat, hand[0][1], shown)}
    names = sorted(more, key=lambda name: (name[:4], int(name.split(":")[1])))
    wrong = Entry({**entry.tree, "cards": {**entry.cards, "open": opens}})
    assert refused_next(before, lie(duel, before, wrong, [more[n] for n in names])) == (
        8,
        seq,
        seat,
    )


def test_7_2_a_drawn_card_is_given_in_the_next_entry_and_never_before(match: Match) -> None:
    for before, moment in zip(match.moments[2:], match.moments[3:], strict=False):
        if before.position.play_over or moment.position.play_over:
            continue
        table, by = before.position.table, moment.entry.by
        due = {slot_text(slot) for slot in table.gives_due(by)}
        assert due <= set(moment.entry.cards.get("give", {}))
        for slot in moment.entry.cards.get("give", {}):
            found = moment.position.table.find_slot(slot)
            assert found is not None
            assert moment.position.table.zone_of(found) is not None  # it was drawn


def test_7_2_in_and_after_the_entry_that_ends_play_nothing_is_given(match: Match) -> None:
    for moment in match.moments:
        if moment.position.play_over:
            assert "give" not in moment.entry.cards
            assert "mask" not in moment.entry.cards


def test_7_2_a_cup_opened_at_the_end_by_its_owner_alone(match: Match) -> None:
    state: Any = match.position.state
    assert [side.closed for side in state.sides] == [0, 0]
    hidden = {"A": {"0:16", "0:17"}, "B": {"0:18", "0:19"}}
    for entry in match.log[-2:]:
        mine = hidden[entry.by]
        assert mine <= set(entry.cards["open"])


# 7.4 slots after begin


def test_7_4_accept_and_begin_give_what_the_set_up_dealt(match: Match) -> None:
    accept, begin = match.log[1], match.log[2]
    hand_a = {f"0:{n}" for n in (*range(4, 10), 16, 17)}
    hand_b = {f"0:{n}" for n in (*range(10, 16), 18, 19)}
    mountains = {f"0:{n}" for n in range(4)}
    assert set(accept.cards["give"]) == hand_a | mountains
    assert set(begin.cards["give"]) == hand_b
    assert set(begin.cards["open"]) == mountains
    drawn = match.at(2).position.table.deck
    assert drawn == tuple((0, n) for n in range(20, 108))


def test_6_2_s_gives_numbers_and_f_gives_points(match: Match) -> None:
    for entry in match.log:
        for slot, text in entry.cards.get("give", {}).items():
            number, _, _ = slot.partition(":")
            pile = match.position.table.piles[int(number)]
            if entry.by == pile.second:
                assert text.isdecimal()
            else:
                assert len(from_text(text)) == 32


# 7.5 shuffles of the discard pile


def masks(match: Match) -> list[tuple[str, str]]:
    return [(e.by, e.cards["mask"]["pile"]) for e in match.log if "mask" in e.cards]


@pytest.fixture(scope="module", params=["A", "B"])
def one_card(request: pytest.FixtureRequest) -> tuple[Duel, Match]:
    """A match in which that seat has just thrown away the one card that becomes the deck."""
    seat: Seat = "A" if request.param == "A" else "B"
    duel = Duel(f"one card by {seat}", UP_TO)
    match = duel.hoarded(duel.begun(), 1, seat)
    moves, _, _ = duel.moves(match)
    match = duel.play(match, next(m for m in moves if isinstance(m, Discard) and m.count == 1))
    return duel, match


def test_6_1_a_pile_of_one_card_is_masked_in_the_equality_proof(
    one_card: tuple[Duel, Match],
) -> None:
    duel, match = one_card
    author = match.log[-1].by
    pile = match.position.table.piles[1]
    assert (len(pile), pile.first) == (1, author)
    assert "proof" not in match.log[-1].cards["mask"]
    assert (match.pen, match.position.duty) == (other(author), "deal")
    after = duel.step(match)
    assert "proof" not in after.log[-1].cards["mask"]
    assert "proof" in after.log[-1].cards
    assert (after.pen, after.position.duty) == (other(author), "play")
    whole = duel.finished(after)
    assert replay(whole.record).outcome == whole.outcome


def test_6_1_the_one_point_of_a_mask_is_proved(one_card: tuple[Duel, Match]) -> None:
    duel, match = one_card
    before = match.at(len(match.log) - 2)
    for honest in (match.log[-1], duel.step(match).log[-1]):
        entry, state = honest, before if honest is match.log[-1] else match
        foreign = match.position.table.piles[0].first_list
        assert foreign is not None
        wrong_points = to_text(foreign[0])
        cards = {**entry.cards, "mask": {**entry.cards["mask"], "points": wrong_points}}
        wrong = resealed(entry, duel.identity(entry.by), cards=cards)
        assert refused_next(state, wrong)[0] == 6


def test_7_2_a_first_mask_is_owed_in_the_entry_that_shuffles(one_card: tuple[Duel, Match]) -> None:
    duel, match = one_card
    before = match.at(len(match.log) - 2)
    entry = match.log[-1]
    cards = {name: value for name, value in entry.cards.items() if name != "mask"}
    bare = Entry({**entry.tree, "cards": cards})
    pairs = list(pairs_of(before, entry).values())
    assert refused_next(before, lie(duel, before, bare, pairs))[0] == 8


def test_7_2_a_second_mask_is_owed_in_the_next_entry(one_card: tuple[Duel, Match]) -> None:
    duel, match = one_card
    entry = duel.step(match).log[-1]
    bare = resealed(entry, duel.identity(entry.by), cards=None)
    assert refused_next(match, bare) == (8, len(match.log), entry.by)


def test_5_a_mask_that_is_not_due_is_refused(one_card: tuple[Duel, Match]) -> None:
    duel, match = one_card
    mask = match.log[-1].cards["mask"]
    after = duel.step(match)
    entry = duel.step(after).log[-1]
    for pile in ("0", "1", "5"):
        cards = {**entry.cards, "mask": {**mask, "pile": pile}}
        wrong = resealed(entry, duel.identity(entry.by), cards=cards)
        assert refused_next(after, wrong)[0] == 5


@pytest.mark.parametrize("seat", ["A", "B"])
def test_7_5_a_draw_runs_across_a_shuffle(seat: Seat) -> None:
    duel = Duel(f"across {seat}", UP_TO)
    match = duel.hoarded(duel.begun(), 1, seat)
    moves, state, _ = duel.moves(match)
    most = max((m for m in moves if isinstance(m, Discard)), key=lambda m: m.count)
    assert most.count >= 2
    match = duel.play(match, most)
    table = match.position.table
    assert [len(pile) for pile in table.piles] == [108, most.count]
    assert table.piles[1].first == seat
    drawn = [slot for slot in table.zones[f"hand {seat}"] if slot not in table.cards][-most.count :]
    assert [slot[0] for slot in drawn] == [0] + [1] * (most.count - 1)
    # The opponent gives the old pile's card at once, and those of the new one behind its mask.
    assert match.position.duty == "deal"
    match = duel.step(match)
    assert set(match.log[-1].cards["give"]) >= {slot_text(slot) for slot in drawn}
    assert table.deck == tuple((1, n) for n in range(most.count - 1, most.count))
    assert state.deck == 1
    assert replay(match.record).summary == match.summary


@pytest.mark.parametrize("seat", ["A", "B"])
def test_7_5_a_refill_runs_across_a_shuffle(seat: Seat) -> None:
    duel = Duel(f"refill {seat}", UP_TO)
    start = duel.begun()
    lacking = duel.lacking(duel.at_play(start))
    match = duel.hoarded(start, 1, seat)
    state: Any
    while True:  # somebody completes the first mandala with a field, which draws nothing
        match = duel.at_play(match)
        moves, state, _ = duel.moves(match)
        complete = [
            move
            for move in moves
            if isinstance(move, Field)
            and (move.colour,) == tuple(state.mandalas[move.mandala - 1].missing())
        ]
        wait = [
            move
            for move in moves
            if isinstance(move, Mountain) and move.draw == 0 and move.colour not in lacking
        ]
        match = duel.play(match, (complete or wait)[0])
        if complete:
            break
    author = match.log[-1].by
    match = duel.until(match, lambda now: len(now.position.table.piles) == 2)
    table = match.position.table
    assert table.piles[1].first == match.log[-1].by
    refilled = [
        slots for name, slots in table.zones.items() if name.startswith("mountain") and slots
    ]
    ends = [tuple(slot[0] for slot in slots) for slots in refilled]
    assert (0, 1) in ends
    assert author in ("A", "B")
    # Both new mountain cards are up before the next move is due.
    match = duel.at_play(match)
    shown = match.seen(duel.secrets(match))[0]
    assert [mandala.closed for mandala in getattr(shown, "mandalas", ())] == [0, 0]
    assert replay(match.record).summary == match.summary


# 7.6


def test_7_6_which_of_several_equal_cards_is_played_is_left_to_chance(duel: Duel) -> None:
    match = duel.at_play(duel.begun())
    seat = match.pen
    assert seat
    for _ in range(30):
        match = duel.at_play(match)
        seat = match.pen
        assert seat
        _, _, hand = duel.moves(match)
        colour = max(set(hand), key=hand.count)
        act = f"discard {COLOURS[colour]} 1"
        if hand.count(colour) >= 3 and act in duel.texts(match):
            break
        match = duel.step(match)
    opened = {
        tuple(write_entry(match.position, seat, act, duel.pen(seat)).cards["open"])
        for _ in range(12)
    }
    assert len(opened) >= 2


# 8 acts of play


@pytest.mark.parametrize(
    "act",
    [
        "mountain 1 Red",
        "mountain 1 r",
        "mountain 3 red",
        "mountain 1 red draw 2",
        "field 1 red",
        "discard red 01",
        "take",
    ],
)
def test_8_an_act_is_written_in_the_long_notation_only(duel: Duel, match: Match, act: str) -> None:
    before = duel.at_play(match.at(2))
    honest = duel.step(before).log[-1]
    pairs = list(pairs_of(before, honest).values())
    wrong = lie(duel, before, Entry({**honest.tree, "act": act}), pairs)
    assert refused_next(before, wrong) == (7, len(before.log), honest.by)


@pytest.mark.parametrize("act", ["take red", "discard black 9", "field 2 red 18"])
def test_8_an_illegal_move_signed_by_its_author_is_refused(
    duel: Duel, match: Match, act: str
) -> None:
    before = duel.at_play(match.at(2))
    honest = duel.step(before).log[-1]
    wrong = resealed(honest, duel.identity(honest.by), act=act, cards=None)
    assert refused_next(before, wrong) == (7, len(before.log), honest.by)


def test_8_a_card_that_is_not_in_the_hand_is_not_opened(duel: Duel, match: Match) -> None:
    before = duel.at_play(match.at(2))
    honest = duel.step(before).log[-1]
    _, _, hand = duel.moves(before)
    absent = next(colour for colour in range(6) if colour not in hand)
    act = f"discard {COLOURS[absent]} 1"
    wrong = resealed(honest, duel.identity(honest.by), act=act, cards=None)
    assert refused_next(before, wrong) == (8, len(before.log), honest.by)


def test_8_the_cards_opened_have_the_named_colour(duel: Duel, match: Match) -> None:
    before = duel.at_play(match.at(2))
    seat = before.pen
    assert seat
    secret = secret_of(before.position, seat, duel.identity(seat))
    table = before.position.table
    hand = {
        slot: table.pile_of(slot).read(seat, secret, slot[1])
        for slot in table.zones[f"hand {seat}"]
    }
    act = next(
        text for text in duel.texts(before) if text.startswith("discard") and text.endswith("1")
    )
    colour = COLOURS.index(act.split()[1])
    honest = before.played(seat, act, duel.pen(seat)).log[-1]
    (true,) = honest.cards["open"]
    slot, card = next((s, c) for s, c in hand.items() if c is not None and c // 18 != colour)
    opens = {slot_text(slot): format_card(card)}
    wrong = Entry({**honest.tree, "cards": {**honest.cards, "open": opens}})
    pairs = pairs_of(before, honest)
    del pairs[f"open {true}"]
    pair = table.pile_of(slot).open_pair(seat, slot[1], card)
    lied = lie(duel, before, wrong, [*pairs.values(), pair])
    assert refused_next(before, lied) == (8, len(before.log), seat)
    # A card of that colour at a slot that has another one: the proof does not hold.
    other_card = next(c for c in range(18 * colour, 18 * colour + 18) if c not in hand.values())
    cards = {**honest.cards, "open": {true: format_card(other_card)}}
    claimed = resealed(honest, duel.identity(seat), cards=cards)
    assert refused_next(before, claimed) == (6, len(before.log), seat)


def test_11_an_opening_of_the_opponents_card_is_refused(duel: Duel, match: Match) -> None:
    before = duel.at_play(match.at(2))
    seat = before.pen
    assert seat
    honest = duel.step(before).log[-1]
    theirs = before.position.table.zones[f"hand {other(seat)}"][0]
    opens = {**honest.cards["open"], slot_text(theirs): "K00"}
    cards = {**honest.cards, "open": opens}
    assert refused_next(before, resealed(honest, duel.identity(seat), cards=cards))[0] == 6
