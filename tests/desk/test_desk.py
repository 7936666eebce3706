"""The desk and its files: what is remembered, written, refused, joined and healed."""

from __future__ import annotations

from pathlib import Path

import pytest

from mbp.audit import audit
from mbp.chain import Record, settle, to_text
from mbp.curve import scalar_to_bytes
from mbp.desk.choices import OptionError
from mbp.errors import (
    KeyringError,
    NoSuchGameError,
    TurnError,
)
from mbp.gamefile import dump, load
from mbp.match import secret_of
from tests.correspondents import Correspondent, begin
from tests.duel import OPTIONS, identity_of, resealed

Pair = tuple[Correspondent, Correspondent]


# joined from both sides


def test_9_5_and_9_6_what_stands_beside_the_log_is_joined(both: Pair) -> None:
    anna, bert = both
    ended = bert.desk.leave(bert.path, "resign").match
    anna.takes(bert.file)
    anna.desk.disclose(anna.path)
    bert.desk.disclose(bert.path)
    drop = resealed(ended.log[2], identity_of("Anna"), note="x").id
    item = settle("A", ended.log[2].id, drop, ended.id, identity_of("Anna"))
    record = load(anna.file)
    with_item = dump(Record(record.log, record.disclosed, (item,), record.summary))
    receipt = bert.takes(with_item)
    assert set(receipt.match.disclosed) == {"A", "B"}
    assert receipt.match.settled == (item,)
    assert audit("x", bert.file).ok
    assert set(anna.takes(bert.file).match.disclosed) == {"A", "B"}
    assert anna.file == bert.file
    secrets = bert.desk.secrets(bert.match)
    assert all(None not in cards for cards in bert.match.seen(secrets)[1].values())


def test_9_5_and_9_6_wrong_items_are_dropped_and_said(both: Pair) -> None:
    anna, bert = both
    ended = bert.desk.leave(bert.path, "resign").match
    wrong = to_text(scalar_to_bytes(secret_of(ended.position, "B", identity_of("Bert")) + 1))
    game, keep, drop = ended.id, ended.log[2].id, "ab" * 32
    good = settle("B", keep, drop, game, identity_of("Bert"))
    bad = settle("A", keep, drop, game, identity_of("Bert"))
    record = Record(ended.log, {"B": wrong}, (bad, good), ended.summary)
    receipt = anna.takes(dump(record))
    said = [words for words in receipt.news if words.startswith("left out")]
    assert len(said) == 2
    assert receipt.match.settled == (good,)
    assert receipt.match.disclosed == {}
    assert audit("x", anna.file).ok
    assert anna.match.log == ended.log


def test_9_5_a_secret_disclosed_during_play_is_dropped(both: Pair) -> None:
    anna, bert = both
    match = bert.match
    secret = to_text(scalar_to_bytes(secret_of(match.position, "B", identity_of("Bert"))))
    receipt = anna.takes(dump(Record(match.log, {"B": secret}, (), match.summary)))
    assert receipt.match.disclosed == {}
    assert "before play is over" in " ".join(receipt.news)
    with pytest.raises(TurnError, match="play is not over"):
        bert.desk.disclose(bert.path)


# contacts


def test_a_first_contact_is_remembered_at_join_and_at_begin(strangers: Pair) -> None:
    anna, bert = strangers
    for step in begin(anna, bert):
        if step == "accepted":
            assert [contact.name for contact in bert.home.contacts()] == ["Anna"]
            assert anna.home.contacts() == ()
    (contact,) = anna.home.contacts()
    assert (contact.name, contact.key) == ("Bert", identity_of("Bert").text)


def test_a_known_name_with_another_key_stops_the_begin(strangers: Pair) -> None:
    anna, bert = strangers
    with anna.home.lock():
        anna.home.remember_contact("bert", identity_of("Carl").text)
    steps = begin(anna, bert)
    assert [next(steps), next(steps)] == ["invited", "accepted"]
    with pytest.raises(KeyringError, match="another key"):
        next(steps)
    assert len(anna.match.log) == 2
    assert {entry.seq for entry in anna.signed()} == {"0"}
    # Told apart by another name, the match begins.
    anna.desk.trust(anna.path, "Bert the second")
    assert anna.takes(bert.file).match.log[-1].act == "begin"


def test_a_known_name_with_another_key_stops_the_join(strangers: Pair) -> None:
    anna, bert = strangers
    with bert.home.lock():
        bert.home.remember_contact("ANNA", identity_of("Carl").text)
    steps = begin(anna, bert)
    next(steps)
    with pytest.raises(KeyringError, match="another key"):
        next(steps)
    assert bert.signed() == []
    assert bert.home.all_remembered() == ()


def test_3_the_named_guest_alone_can_join(strangers: Pair, tmp_path: Path) -> None:
    anna, bert = strangers
    with anna.home.lock():
        anna.home.remember_contact("Bert", identity_of("Bert").text)
    receipt = anna.desk.new("mandala", OPTIONS, to="bert")
    carl = Correspondent(tmp_path, "Carl", anna.clock)
    for one in (carl, bert):
        one.games.mkdir(parents=True)
        (one.games / receipt.path.name).write_bytes(anna.file)
    with pytest.raises(KeyringError, match="somebody else"):
        carl.desk.join(carl.path)
    assert carl.signed() == []
    assert bert.desk.join(bert.path).match.players["B"].name == "Bert"


def test_4_3_an_invitation_is_joined_once_and_not_by_its_author(strangers: Pair) -> None:
    anna, bert = strangers
    steps = begin(anna, bert)
    next(steps)
    invitation = anna.file
    with pytest.raises(TurnError, match="your own invitation"):
        anna.desk.join(anna.path)
    next(steps)
    accepted = bert.file
    bert.path.write_bytes(invitation)
    with pytest.raises(TurnError, match="accepted already"):
        bert.desk.join(bert.path)
    bert.takes(invitation)
    assert bert.file == accepted
    assert len(bert.signed()) == 1


# options and acts


@pytest.mark.parametrize(
    "options",
    [
        {"start": "anna"},
        {"colour": "red"},
        {"pace": "-1"},
        {"pace": "007"},
        {"pace": "100000"},
        {"vacation": "0"},
        {"vacation": "366"},
        {"pace": "\u0667"},
    ],
)
def test_3_4_options_that_no_invitation_has(strangers: Pair, options: dict[str, str]) -> None:
    anna, _ = strangers
    with pytest.raises(OptionError):
        anna.desk.new("mandala", options)
    assert anna.home.all_remembered() == ()


def test_3_an_invitation_names_every_option(strangers: Pair) -> None:
    anna, _ = strangers
    receipt = anna.desk.new("mandala", {"vacation": "365", "draw": "up_to"})
    assert receipt.match.position.options == {
        "start": "coin",
        "draw": "up_to",
        "deck_end": "last_mandala",
        "pace": "7",
        "vacation": "365",
    }
    with pytest.raises(NoSuchGameError, match="no game"):
        anna.desk.new("chess", {})
    with pytest.raises(KeyringError, match="no contact"):
        anna.desk.new("mandala", {}, to="Zoe")


def test_9_acts_that_are_not_possible_now(both: Pair) -> None:
    anna, bert = both
    before = bert.file
    for player, act in (
        (anna, "resign"),
        (anna, "claim"),
        (bert, "claim"),
        (bert, "agree"),
        (bert, "vacation 21"),
        (bert, "vacation 0"),
        (bert, "vacation x"),
    ):
        with pytest.raises(TurnError):
            player.desk.leave(player.path, act)
    assert bert.file == before
    assert anna.file == before


def test_status_names_the_own_matches_first_and_what_is_damaged(both: Pair) -> None:
    anna, bert = both
    (anna.games / "broken.mbp.yaml").write_bytes(b"x")
    (bert.games / "broken.mbp.yaml").write_bytes(b"x")
    for player in (anna, bert):
        status = player.desk.status()
        assert len(status.mine) == 1
        assert status.others == 0
        assert len(status.troubles) == 1
        assert "broken" in status.troubles[0]


def test_each_home_reads_its_own_hand_alone(both: Pair) -> None:
    anna, bert = both
    match = bert.match
    mine, theirs = (one.desk.secrets(one.match) for one in (anna, bert))
    assert (set(mine), set(theirs)) == ({"A"}, {"B"})
    assert None not in match.seen(theirs)[1]["hand B"]
    assert set(match.seen(theirs)[1]["hand A"]) == {None}
    assert set(match.seen(mine)[1]["hand B"]) == {None}
    assert set(match.seen({})[1]["cup A"]) == {None}
