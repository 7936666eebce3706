"""What `mbp watch` finds: turns, invitations, histories to decide about; each is told once."""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from mbp.cli.session import Session
from mbp.cli.telling import View, deadline, view_of
from mbp.cli.terminal import clean, to_line
from mbp.cli.trees import event_tree
from mbp.errors import MbpError, PostError
from mbp.match.sentences import sentence

if TYPE_CHECKING:
    from mbp.git import Repository

UNDECIDED = ("forked", "slipped", "early")  # halts that wait for the owner


@dataclass(frozen=True)
class Event:
    """Something to do in a match: what it is, in words, and the command for it."""

    kind: Literal["turn", "invitation", "decide"]
    view: View
    path: Path
    text: str
    step: str

    @property
    def news(self) -> str:
        """The newest entry in words."""
        moment = self.view.match.moments[-1]
        return clean(f"{self.view.who(moment.entry.by)}: {sentence(moment, self.view.names)}")

    @property
    def mark(self) -> tuple[str, str, str]:
        """What makes it another one than those told before."""
        return self.view.match.id, self.kind, self.view.match.log[-1].id


def event_of(view: View, path: Path, step: str) -> Event | None:
    """What its owner has to do in a match, None where nothing waits for him."""
    match, start = view.match, f"{view.match.id[:8]}  "
    if match.outcome is not None or match.pen is None:
        return None
    if view.seat is None:
        text = f"{start}{view.names['A']} invites you"
        return Event("invitation", view, path, text, step or f"mbp join {view.handle}")
    if view.halted.why in UNDECIDED:
        text = f"{start}against {view.rival}: {view.halted.lines[0]}"
        return Event("decide", view, path, text, f"mbp show {match.id[:8]} tells how to go on")
    if match.pen != view.seat or view.halted.why:
        return None
    text = f"{start}your turn against {view.rival}"
    return Event("turn", view, path, text, step or f"mbp show {view.handle}")


@dataclass
class Watcher:
    """What has been told so far, and the troubles: those found now, those `known` before."""

    session: Session
    command: str = ""
    as_json: bool = False
    told: set[tuple[str, str, str]] = field(default_factory=set)
    known: set[str] = field(default_factory=set)
    troubles: set[str] = field(default_factory=set)

    def look(self, repository: Repository | None, remote: str) -> PostError | None:
        """Looks once at all there is, and tells it; returns why the remote cannot be had."""
        away = None if repository is None else self.look_at_remote(repository, remote)
        self.look_at_folder()
        self.tell_troubles()
        self.session.terminal.stdout.flush()
        return away

    def look_at_folder(self) -> None:
        """Tells what waits in the games folder, and in the games that the home remembers."""
        found = self.session.desk.status()
        for opened in (*found.mine, *found.invitations):
            view = view_of(self.session, opened.match, opened.seat, opened.path)
            if view.halted.why == "unreadable":
                self.troubles.add(f"{view.path}: {view.halted.lines[0]}")
            self._tell(event_of(view, opened.path, ""))
        self.troubles |= set(found.troubles)

    def look_at_remote(self, repository: Repository, remote: str) -> PostError | None:
        """Tells what was pushed and waits for the owner; returns why the remote cannot be had.

        The network may be away for a while: the next look may do.
        """
        try:
            for event in self._pushed(repository, remote):
                self._tell(event)
        except PostError as failure:
            self.troubles.add(str(failure))
            return failure
        return None

    def _pushed(self, repository: Repository, remote: str) -> Iterator[Event | None]:
        """What is to be done in the matches that differ on the remote. Raises PostError."""
        from mbp.git import changes_between
        from mbp.git.remotes import remote_head

        session, head = self.session, remote_head(repository, remote)
        for change in changes_between(repository, "HEAD", head):
            if change.new is None:
                continue
            path = repository.root / change.path
            try:
                found = session.desk.look(change.new)
            except MbpError as failure:
                self.troubles.add(f"{change.path}: {failure}")
                continue
            view = view_of(session, found.match, found.seat, path)
            pulled = f"git pull, then mbp receive {shlex.quote(view.path)}"
            if found.choice is not None and found.choice.split and not found.settled:
                text = f"{view.match.id[:8]}  {found.notes[-1]}"
                yield Event("decide", view, path, text, pulled)
            elif found.seat is not None:
                yield event_of(view, path, pulled)
            elif session.desk.may_accept(found.match):
                yield event_of(view, path, f"git pull, then mbp join {shlex.quote(view.path)}")

    def _tell(self, event: Event | None) -> None:
        """Tells an event, if it has not been told."""
        if event is None or event.mark in self.told:
            return
        match, terminal = event.view.match, self.session.terminal
        self.told.add(event.mark)
        if self.as_json:
            rival = event.view.rival if event.view.seat else event.view.names["A"]
            told = {"opponent": rival, "text": event.text, "news": event.news, "next": event.step}
            file = self.session.shown(event.path)
            terminal.put(to_line(event_tree(event.kind, match, file, told)))
        else:
            until = deadline(self.session, event.view) if event.kind == "turn" else ""
            for line in (event.text, f"          {event.news}", f"          {until}" * bool(until)):
                if line:
                    terminal.put(line)
            terminal.say(event.step, " " * 10)
        if self.command:
            self._run(match.id, event.path, f"{event.text}: {event.news}")

    def _run(self, game_id: str, path: Path, said: str) -> None:
        """Runs the user's command; what it prints is its own affair, a failure is said."""
        self.session.terminal.stdout.flush()
        told = {"MBP_FILE": str(path), "MBP_ID": game_id, "MBP_SAID": clean(said)}
        environ = {**self.session.terminal.environ, **told}
        done = subprocess.run(
            self.command,
            shell=True,
            cwd=self.session.cwd,
            env=environ,
            stdin=subprocess.DEVNULL,
            check=False,
        )
        if done.returncode:
            self.session.terminal.say(f"the command ended with {done.returncode}")

    def tell_troubles(self) -> None:
        """Says each trouble when it comes, not at every look."""
        for trouble in sorted(self.troubles - self.known):
            self.session.terminal.say(f"trouble: {trouble}")
        self.known, self.troubles = self.troubles, set()
