"""A whole match of Mandala through SMTP and IMAP, with a post that loses, doubles and delays."""

from __future__ import annotations

import random
import shutil
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from mbp.audit import audit
from tests.world.mail.players import Player
from tests.world.mail.servers import Servers

pytestmark = pytest.mark.world

LONGEST = 400  # rounds


@dataclass
class Post:
    """What happens to mails between the two servers and their readers."""

    servers: Servers
    dice: random.Random
    folder: Path
    seen: set[str] = field(default_factory=set)
    late: list[tuple[int, Path, Path]] = field(default_factory=list)
    fates: dict[str, int] = field(default_factory=dict)
    sent: int = 0

    def send(self, player: Player, *words: str) -> None:
        """A player sends a mail, and it is delivered."""
        before = self.servers.log.count("status=sent")
        player.mbp(*words)
        self.servers.wait_for(before + 1)
        self.sent += 1

    def carry(self, day: int) -> None:
        """Loses, doubles and keeps back new mails; delivers those kept back long enough."""
        for user in ("anna", "bert"):
            for mail in self.servers.mails(user):
                if mail.name not in self.seen:
                    self._fate(mail, day)
        for due, kept, place in [one for one in self.late if one[0] <= day]:
            self.late.remove((due, kept, place))
            shutil.move(kept, place)

    def _fate(self, mail: Path, day: int) -> None:
        self.seen.add(mail.name)
        fate = self.dice.choices(["comes", "lost", "doubled", "late"], [55, 15, 15, 15])[0]
        self.fates[fate] = self.fates.get(fate, 0) + 1
        if fate == "lost":
            mail.unlink()
        elif fate == "doubled":
            twin = mail.with_name(f"0{mail.name}")
            self.seen.add(twin.name)
            shutil.copy2(mail, twin)
            shutil.chown(twin, "mail", "mail")
        elif fate == "late":
            kept = self.folder / mail.name
            shutil.move(mail, kept)
            self.late.append((day + self.dice.randint(2, 5), kept, mail))


def opened(post: Post, anna: Player, bert: Player) -> None:
    """Invitation and acceptance arrive; what comes after may get lost."""
    anna.mbp("new", "--game", "mandala", "--option", "deck_end=immediate")
    post.send(anna, "send", str(anna.file), "--to", bert.address)
    bert.mbp("receive", "--imap")
    bert.mbp("join", str(bert.file))
    post.send(bert, "send", "Anna")
    post.seen.update(mail.name for user in ("anna", "bert") for mail in post.servers.mails(user))


def a_round(post: Post, player: Player) -> int:
    """A player looks into the mailbox, and plays if it is time to; the number of entries after."""
    before = post.servers.log.count("status=sent")
    automatic = player.mbp("receive", "--imap", "--send").stderr.count("sent to")
    post.servers.wait_for(before + automatic)
    post.sent += automatic
    game = player.game()
    if game["mine"]:
        player.mbp("bot", str(player.file))
        post.send(player, "send", str(player.file))
        game = player.game()
    return int(game["seq"])


def test_a_match_ends_with_both_homes_equal_whatever_the_post_does(
    servers: Servers, two: tuple[Player, Player], tmp_path: Path
) -> None:
    anna, bert = two
    (tmp_path / "late").mkdir()
    post = Post(servers, random.Random(4), tmp_path / "late")
    opened(post, anna, bert)
    heads, idle = (0, 0), 0
    for day in range(LONGEST):
        post.carry(day)
        now = a_round(post, anna), a_round(post, bert)
        games = [player.game() for player in two]
        if now[0] == now[1] and all(game["outcome"] and game["pen"] is None for game in games):
            break
        idle = idle + 1 if now == heads else 0
        heads = now
        if idle >= 2:  # somebody's mail got lost: whoever is ahead sends it again
            post.send(
                anna if now[0] >= now[1] else bert, "resend", "bert" if now[0] >= now[1] else "anna"
            )
    else:
        raise AssertionError(f"no end: {heads}, {post.fates}")
    assert all(post.fates.get(fate, 0) >= 3 for fate in ("lost", "doubled", "late")), post.fates
    for player, rival in ((anna, "bert"), (bert, "anna")):
        player.mbp("disclose", str(player.file))
        post.send(player, "send", rival)
    for player in two:
        player.mbp("receive", "--imap")
    assert anna.file.read_bytes() == bert.file.read_bytes()
    report = audit("the match", anna.file.read_bytes())
    assert report.ok
    assert report.disclosed == ("A", "B")
    for player in two:  # another look changes nothing, and finds nothing new
        before = player.file.read_bytes()
        player.mbp("receive", "--imap", "--again")
        assert player.file.read_bytes() == before
        # As if the last run had been killed between the fetch and the mark.
        (player.folder / "home" / "imap.json").unlink()
        player.mbp("receive", "--imap")
        assert player.file.read_bytes() == before
