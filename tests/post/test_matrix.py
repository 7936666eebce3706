"""Every mangled mail is taken in or refused with its reason; nothing else happens."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.post.game import Posted, mbp, posted
from tests.post.mangled import TAKEN, Case, cases


@pytest.fixture(scope="module")
def one(tmp_path_factory: pytest.TempPathFactory) -> Posted:
    return posted(tmp_path_factory.mktemp("posted"))


@pytest.fixture(scope="module")
def mails(one: Posted) -> list[Case]:
    return cases(one)


def outcome(case: Case, one: Posted, folder: Path) -> str:
    """What is wrong with what came of a case, nothing if all is as it should be."""
    shutil.copytree(one.folder, folder)
    if case.first:
        mbp(folder, "receive", "-", given=case.first)
    said = mbp(folder, "receive", "-", given=case.data)
    wanted = 4 if case.comes == TAKEN else 3
    right = said.code == case.code and len(said.log) == wanted and case.says in said.stderr
    return "" if right else f"{case.name}: {said.code}, {len(said.log)} entries: {said.stderr}"


def test_the_matrix_of_mangled_mails(one: Posted, mails: list[Case], tmp_path: Path) -> None:
    found = [outcome(case, one, tmp_path / str(n)) for n, case in enumerate(mails)]
    assert not [text for text in found if text]


def test_there_are_many_and_each_is_another(mails: list[Case]) -> None:
    assert len(mails) >= 60
    assert len({case.name for case in mails}) == len({case.data for case in mails}) == len(mails)
