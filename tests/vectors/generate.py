"""Writes the vectors anew: `make vectors`. With a folder as argument, the whole files into it.

Everything is made of hashes of labels, so that a second run changes nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from mbp import gamefile
from tests.vectors import (
    crimes_beside,
    crimes_cards,
    crimes_chain,
    crimes_form,
    crimes_masks,
    crimes_owed,
    crimes_pen,
    crimes_players,
    crimes_rules,
    crimes_tiles,
    crimes_yaml,
    good,
    survey,
)
from tests.vectors.patches import HERE, built, dumped
from tests.vectors.vector import BASES, Vector

PAGES = (
    good, crimes_yaml, crimes_form, crimes_chain, crimes_players, crimes_pen, crimes_masks,
    crimes_cards, crimes_rules, crimes_owed, crimes_beside, crimes_tiles,
)  # fmt: skip

STEPS = "steps.json"  # made of the source of mbp, not of labels: which step refuses which vector


def files() -> Iterator[tuple[str, bytes]]:
    """Every file that is made, with its name in this folder."""
    for name, match in BASES.items():
        yield f"bases/{name}.mbp.yaml", gamefile.dump(match().record)
    made: list[Vector] = [vector for page in PAGES for vector in page.vectors()]
    for vector in made:
        yield f"crimes/{vector.name}.json", dumped(vector.patch)
    yield "index.json", dumped([vector.claim for vector in made])


def main() -> None:
    """Writes what changed, takes away what is no longer made."""
    if len(sys.argv) > 1:
        write_whole(Path(sys.argv[1]))
        return
    made = dict(files())
    for folder in ("bases", "crimes"):
        (HERE / folder).mkdir(exist_ok=True)
        for path in (HERE / folder).iterdir():
            if f"{folder}/{path.name}" not in made:
                path.unlink()
    for name, data in made.items():
        (HERE / name).write_bytes(data)
    (HERE / STEPS).write_bytes(dumped(survey.table()))
    print(f"{len(made)} files, {sum(map(len, made.values()))} bytes")


def write_whole(folder: Path) -> None:
    """Writes each vector as the file that it stands for."""
    folder.mkdir(parents=True, exist_ok=True)
    for page in PAGES:
        for vector in page.vectors():
            (folder / f"{vector.name}.mbp.yaml").write_bytes(built(vector.patch))


if __name__ == "__main__":
    main()
