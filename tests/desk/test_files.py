"""The game file and the memory: what is written, refused, healed, and never written over."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from mbp.audit import audit
from mbp.chain import Entry, Record, prefix_digest, to_text
from mbp.desk import Desk, World
from mbp.desk.choices import OptionError
from mbp.errors import (
    ForkError,
    FormatError,
    KeyringError,
    MbpError,
    NoSuchGameError,
    SignatureError,
    TurnError,
    VerificationError,
)
from mbp.gamefile import dump, load
from mbp.match import Match
from mbp.rules.contract import GameError, IllegalMoveError
from tests import children
from tests.correspondents import Clock, Correspondent, pair
from tests.duel import OPTIONS, Dice, Duel, file_of

Pair = tuple[Correspondent, Correspondent]


# files


def test_a_deleted_game_file_comes_back(both: Pair) -> None:
    anna, bert = both
    data, path = bert.file, bert.path
    bert.takes(data)  # so that the home knows where the file lies
    path.unlink()
    assert len(bert.desk.play(path, bert_move(bert, data)).match.log) > len(load(data).log)
    assert path.exists()
    anna.takes(path.read_bytes())


def bert_move(bert: Correspondent, data: bytes) -> str:
    """A legal move of Bert's in that file, which need not lie in his folder."""
    aside = bert.root / "aside.mbp.yaml"
    aside.write_bytes(data)
    match = bert.desk.open(aside).match
    aside.unlink()
    state, sight = match.seen(bert.desk.secrets(match))
    hand = [card for card in sight["hand B"] if card is not None]
    return match.game.format(state, match.game.legal_moves(state, hand)[0])


def test_a_link_to_nothing_in_the_games_folder_makes_no_file(both: Pair) -> None:
    _, bert = both
    carl = Correspondent(bert.root.parent, "Carl", bert.clock)
    carl.games.mkdir()
    target = carl.root / "outside"
    link = carl.games / bert.path.name
    link.symlink_to(target)
    with pytest.raises(MbpError, match="link to no file"):
        carl.takes(bert.file)
    assert not target.exists()
    target.write_bytes(bert.file)
    carl.takes(bert.file)
    assert link.is_symlink()


def test_what_is_no_file_is_no_game(both: Pair) -> None:
    _, bert = both
    (bert.games / "loop.mbp.yaml").symlink_to("loop.mbp.yaml")
    (bert.games / "nothing.mbp.yaml").symlink_to("no.mbp.yaml")
    os.mkfifo(bert.games / "pipe.mbp.yaml")
    status = bert.desk.status()
    assert len(status.mine) == 1
    assert not status.troubles
    with pytest.raises(NoSuchGameError, match="no regular file"):
        bert.desk.open(bert.games / "pipe.mbp.yaml")


def test_a_look_waits_for_nobody(both: Pair) -> None:
    _, bert = both
    opened = bert.desk.open(bert.path)
    with bert.desk.home.lock():
        bert.desk.mark_looked(opened)
    assert bert.desk.open(bert.path).looked == opened.looked
    bert.desk.mark_looked(opened)
    assert bert.desk.open(bert.path).looked == len(opened.match.log) - 1


def test_an_older_file_put_back_in_place_is_no_way_back(both: Pair) -> None:
    anna, bert = both
    old = bert.file
    new = bert.plays(0).match
    bert.path.write_bytes(old)
    opened = bert.desk.open(bert.path)
    assert opened.match.log == new.log
    assert "older copy" in " ".join(opened.notes)
    with pytest.raises(TurnError, match="not your turn"):
        bert.desk.bot(bert.path)
    assert load(bert.file).log[: len(new.log)] == new.log  # refused, and brought up to date
    bert.path.write_bytes(old)
    bert.takes(old)
    assert load(bert.file).log[: len(new.log)] == new.log
    assert anna.takes(bert.file).match.log[: len(new.log)] == new.log


def test_an_invitation_put_back_in_place_of_its_acceptance_is_brought_up_to_date(
    tmp_path: Path,
) -> None:
    anna, bert = pair(tmp_path)
    invitation = anna.desk.new("mandala", {}).path.read_bytes()
    path = tmp_path / "saved.mbp.yaml"
    path.write_bytes(invitation)
    accepted = bert.desk.join(path).match
    path.write_bytes(invitation)  # as a command killed between memory and file leaves it
    with pytest.raises(TurnError, match="accepted already"):
        bert.desk.join(path)
    assert load(path.read_bytes()).log == accepted.log


def test_a_newer_file_put_in_place_is_taken_in_before_it_is_written_over(both: Pair) -> None:
    anna, bert = both
    old = anna.file
    newer = bert.plays(0).match
    anna.path.write_bytes(bert.file)
    receipt = anna.takes(old)
    assert receipt.match.log[: len(newer.log)] == newer.log
    assert load(anna.file).log[: len(newer.log)] == newer.log


def test_a_second_history_put_in_place_is_kept(both: Pair) -> None:
    anna, bert = both
    rewound = bert.copy("rewound")
    old = anna.file
    anna.takes(bert.plays(0).path.read_bytes())
    rewound.plays(1)
    anna.path.write_bytes(rewound.file)
    with pytest.raises(ForkError):
        anna.takes(old)
    assert len(anna.home.evidence(anna.memory.id)) == 2
    with pytest.raises(ForkError):
        anna.desk.bot(anna.path)
    assert anna.takes(rewound.file, take=True).match.log[: len(rewound.match.log)] == (
        rewound.match.log
    )


def test_a_file_whose_summary_was_edited_is_played_on(both: Pair) -> None:
    anna, bert = both
    record = load(bert.file)
    bert.path.write_bytes(dump(Record(record.log, summary={"A": "Eve", "score": "99:0"})))
    assert not audit("x", bert.file).ok
    match = bert.plays(0).match
    assert load(bert.file).summary == match.summary
    assert audit("x", bert.file).ok
    assert anna.takes(bert.file).match.log[: len(match.log)] == match.log


def test_a_file_whose_entry_was_edited_is_refused_and_healed(both: Pair) -> None:
    anna, bert = both
    good = bert.file
    bert.path.write_bytes(good.replace(b'"mountain 1 ', b'"mountain 2 ', 1))
    edited = bert.file
    with pytest.raises(VerificationError):
        bert.desk.bot(bert.path)
    assert bert.file == edited  # a command that fails writes nothing
    bert.takes(anna.file)
    assert load(bert.file).log == load(good).log


def test_11_what_was_verified_is_noted_as_it_is_looked_at_and_as_it_is_written(both: Pair) -> None:
    _, bert = both
    match = bert.match
    bert.home.cache_path(match.id).unlink()
    assert bert.match.log == match.log
    assert bert.home.verified(match.id) == (
        len(match.log),
        prefix_digest(match.log, len(match.log)),
    )
    played = bert.plays(0).match.log
    assert bert.home.verified(match.id) == (len(played), prefix_digest(played, len(played)))


def test_11_only_the_very_bytes_that_were_verified_are_trusted(both: Pair) -> None:
    """A `sig` that does not hold is refused in an entry with a known id, cache or no cache."""
    anna, bert = both
    log = load(bert.file).log
    assert bert.home.verified(log[0].id) is not None
    forged = Entry({**log[3].tree, "sig": to_text(bytes(64))})
    assert forged.id == log[3].id
    for count in (4, len(log)):
        entries = (*log[:3], forged, *log[4:count])
        data = dump(Record(entries, summary={"A": "Anna"}))
        for player in (anna, bert):
            with pytest.raises(SignatureError, match="entry 3"):
                player.takes(data)
    assert load(bert.file).log == log


@pytest.mark.parametrize("data", [b"", b"notes: mine\n", b"\xff\xfe", b"mbp: '1'\nlog: []\n"])
def test_what_is_no_game_file_is_never_written_over(both: Pair, data: bytes) -> None:
    anna, bert = both
    other = bert.games / "notes.mbp.yaml"
    other.write_bytes(data)
    with pytest.raises(FormatError):
        bert.desk.open(other)
    path = next(path for path in bert.games.glob("*.mbp.yaml") if path != other)
    with pytest.raises(MbpError, match="it stays as it is"):
        bert.desk.bot(path, output=other)
    assert other.read_bytes() == data
    for command in (anna.desk.bot, anna.desk.disclose):
        with pytest.raises(MbpError):
            command(other)
    with pytest.raises(MbpError):
        anna.takes(data)


def test_another_games_file_is_never_written_over(both: Pair) -> None:
    _, bert = both
    duel = Duel("another game")
    other = bert.root / "other.mbp.yaml"
    other.write_bytes(file_of(duel.invited()))
    before = other.read_bytes()
    with pytest.raises(MbpError, match="it stays as it is"):
        bert.desk.bot(bert.path, output=other)
    assert other.read_bytes() == before


def test_a_strangers_match_is_shown_and_kept_and_not_played(both: Pair, tmp_path: Path) -> None:
    anna, _ = both
    eve = Correspondent(tmp_path, "Eve", anna.clock)
    receipt = eve.takes(anna.file)
    assert receipt.seat is None
    assert eve.file == anna.file
    opened = eve.desk.open(eve.path)
    assert opened.seat is None
    assert eve.desk.secrets(opened.match) == {}
    for act in ("resign", "claim"):
        with pytest.raises(KeyringError, match="does not play"):
            eve.desk.leave(eve.path, act)
    with pytest.raises(KeyringError):
        eve.desk.bot(eve.path)
    assert eve.desk.status().others == 1
    assert eve.signed() == []


def test_an_output_elsewhere_leaves_the_file_as_it_is(both: Pair) -> None:
    _, bert = both
    before, output = bert.file, bert.root / "out.mbp.yaml"
    receipt = bert.desk.bot(bert.path, output=output)
    assert bert.file == before
    assert load(output.read_bytes()).log == receipt.match.log
    # The memory knows better than the old file.
    with pytest.raises(TurnError):
        bert.desk.play(bert.path, bert_move(bert, before))
    assert bert.takes(before).match.log == receipt.match.log


def test_a_bad_move_changes_nothing(both: Pair) -> None:
    _, bert = both
    before = bert.file
    for text, error in (("jump", GameError), ("take red", IllegalMoveError)):
        with pytest.raises(error):
            bert.desk.play(bert.path, text)
    with pytest.raises(OptionError, match="1001 characters"):
        bert.desk.play(bert.path, bert.moves()[0], "x" * 1001)
    with pytest.raises(OptionError, match="line breaks"):
        bert.desk.play(bert.path, bert.moves()[0], "two\nlines")
    assert bert.file == before
    assert len(bert.memory.log) == len(load(before).log)


def test_1_2_a_note_is_written_in_nfc(both: Pair) -> None:
    anna, bert = both
    match = bert.plays(0, "Scho\u0308n").match
    assert "Sch\u00f6n" in [entry.tree.get("note") for entry in match.log]
    assert anna.takes(bert.file).match.log[: len(match.log)] == match.log


def test_a_place_that_does_not_exist(both: Pair) -> None:
    _, bert = both
    with pytest.raises(NoSuchGameError):
        bert.desk.bot(bert.games / "absent.mbp.yaml")
    with pytest.raises(NoSuchGameError):
        bert.desk.bot(bert.path, output=bert.root / "absent" / "x.mbp.yaml")


# memory before file


def test_4_3_killed_between_memory_and_file_the_next_command_heals(
    both: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, bert = both
    before = bert.file
    bert.takes(before)

    def die_at_the_game_file() -> None:
        writer = "mbp.desk.writing.write_atomic"
        monkeypatch.setattr(writer, lambda *_args, **_options: os._exit(9))
        bert.desk.bot(bert.path)

    assert children.run(die_at_the_game_file) == 9
    assert bert.file == before
    remembered = bert.memory
    assert len(remembered.log) > len(load(before).log)
    # The move is not played twice: what was signed is what goes on.
    assert bert.desk.open(bert.path).match.log == remembered.log
    bert.takes(before)
    assert load(bert.file).log == remembered.log
    assert len({entry.seq for entry in bert.signed()}) == len(bert.signed())
    assert anna.takes(bert.file).match.log[: len(remembered.log)] == remembered.log


def test_4_3_killed_before_the_memory_nothing_was_signed(
    both: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, bert = both
    before = bert.file

    def die_at_the_memory() -> None:
        monkeypatch.setattr("mbp.home.folder.write_atomic", lambda *_args, **_options: os._exit(9))
        bert.desk.bot(bert.path)

    assert children.run(die_at_the_memory) == 9
    assert bert.file == before
    assert len(bert.memory.log) == len(load(before).log)
    assert bert.desk.bot(bert.path).match.log


def test_two_desks_on_one_folder_sign_one_answer(both: Pair) -> None:
    _, bert = both
    desks = [
        Desk(bert.home, bert.games, World(bert.clock, Dice(f"desk {number}")), lambda: "")
        for number in range(3)
    ]
    path = bert.path
    results: list[Match | None] = []

    def work(desk: Desk) -> None:
        try:
            results.append(desk.bot(path).match)
        except TurnError:
            results.append(None)

    threads = [threading.Thread(target=work, args=(desk,)) for desk in desks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    signed = bert.signed()
    assert len({entry.seq for entry in signed}) == len(signed)
    longest = max((match for match in results if match), key=lambda match: len(match.log))
    assert load(bert.file).log == longest.log
    assert bert.memory.log == longest.log


def test_two_players_may_share_one_games_folder(tmp_path: Path) -> None:
    clock, games = Clock(), tmp_path / "shared"
    anna = Correspondent(tmp_path, "Anna", clock)
    bert = Correspondent(tmp_path, "Bert", clock)
    anna.games = bert.games = games
    anna.desk, bert.desk = anna.new_desk(), bert.new_desk()
    path = anna.desk.new("mandala", OPTIONS).path
    bert.desk.join(path)
    anna.takes(path.read_bytes())
    for player in (anna, bert, anna, bert):
        match = player.desk.open(path).match
        if match.pen == ("A" if player is anna else "B"):
            player.desk.bot(path)
    assert [one.name for one in games.glob("*.yaml")] == [path.name]
    assert audit("x", path.read_bytes()).ok
