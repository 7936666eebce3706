"""What `--json` prints, as trees; docs/json.md describes every shape. Prints nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from mbp.chain import Entry
from mbp.desk import Opened, Status
from mbp.desk.settling import Split
from mbp.match import Match, Player
from mbp.match.sentences import sentence
from mbp.report.trees import outcome_tree
from mbp.rules.contract import Seat, Sight, State, other
from mbp.times import format_time


def show_tree(match: Match, state: State | None, sight: Sight) -> dict[str, Any]:
    """`mbp show --json`; the board is null before play begins."""
    return {
        "game": match.game.name,
        "id": match.id,
        "seq": len(match.log) - 1,
        "pen": match.pen,
        "mover": None if state is None else state.mover,
        "over": match.position.play_over,
        "outcome": outcome_tree(match.outcome),
        "options": dict(match.position.options),
        "players": {seat: _player_tree(player) for seat, player in match.players.items()},
        "board": None if state is None else match.game.json(state, sight),
    }


def _player_tree(player: Player) -> dict[str, Any]:
    return {"name": player.name, "mail": player.mail or None, "key": player.key_text}


def moves_tree(match: Match, seat: Seat | None, moves: Sequence[Mapping[str, str]]) -> Any:
    """`mbp moves --json`; the list is empty where the seat has no move to choose."""
    return {
        "game": match.game.name,
        "id": match.id,
        "seq": len(match.log) - 1,
        "seat": seat,
        "moves": list(moves),
    }


def log_tree(match: Match) -> dict[str, Any]:
    """`mbp log --json`; times are UTC, as in the file."""
    entries = [
        {
            "seq": int(moment.entry.seq),
            "by": moment.entry.by,
            "name": match.players[moment.entry.by].name,
            "time": moment.entry.tree["time"],
            "act": moment.entry.act,
            "text": sentence(moment),
            "note": moment.entry.tree.get("note"),
            "offer": moment.entry.tree.get("offer"),
        }
        for moment in match.moments
    ]
    return {"game": match.game.name, "id": match.id, "entries": entries}


def status_tree(
    status: Status, files: Sequence[str], halts: Sequence[str], now: datetime
) -> dict[str, Any]:
    """`mbp status --json`; `files` are the paths of `status.mine`, in its order.

    `halts` say why nothing is signed in each (`Halt.why`), empty where nothing stops it.
    """
    rows = zip(status.mine, files, halts, strict=True)
    games = [{**_game_tree(one, file, now), "halted": halt or None} for one, file, halt in rows]
    return {"mine": games, "others": status.others, "troubles": list(status.troubles)}


def _game_tree(opened: Opened, file: str, now: datetime) -> dict[str, Any]:
    match, position = opened.match, opened.match.position
    rival = match.players.get(other(opened.seat or "A"))
    claimable = position.claimable_after
    return {
        "file": file,
        "game": match.game.name,
        "id": match.id,
        "seq": position.count - 1,
        "seat": opened.seat,
        "opponent": rival.name if rival else None,
        "pen": match.pen,
        "mine": match.pen is not None and match.pen == opened.seat,
        "over": position.play_over,
        "outcome": outcome_tree(match.outcome),
        "since": format_time(position.time),
        "waited": max(0, int((now - position.time).total_seconds())),
        "claimable_after": format_time(claimable) if claimable else None,
    }


def event_tree(kind: str, match: Match, file: str, told: Mapping[str, str]) -> dict[str, Any]:
    """A line of `mbp watch --json`; `told` has the words."""
    claimable = match.position.claimable_after
    return {
        "event": kind,
        "file": file,
        "game": match.game.name,
        "id": match.id,
        "seq": len(match.log) - 1,
        "claimable_after": format_time(claimable) if claimable else None,
        **told,
    }


def fork_tree(split: Split, evidence: str | None) -> dict[str, Any]:
    """`mbp fork --json`; `evidence` is the path of the evidence file, None where there is none."""
    relation, match = split.relation, split.first
    return {
        "game": match.game.name,
        "id": match.id,
        "kind": relation.kind,
        "seq": relation.seq,
        "by": relation.by,
        "first": [_entry_tree(entry) for entry in match.log[split.start :]],
        "second": [_entry_tree(entry) for entry in split.second.log[split.start :]],
        "evidence": evidence,
    }


def _entry_tree(entry: Entry) -> dict[str, Any]:
    return {"seq": int(entry.seq), "by": entry.by, "act": entry.act, "id": entry.id}
