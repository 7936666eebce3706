"""The table: which slot lies in which zone, and what each player owes for it (protocol 6, 7).

Mirrors what the rules say happened. Knows no secrets: a card is known here once it was opened.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from mbp.cards.pile import Pile
from mbp.rules.contract import AnyGame, Event, Seat, Shuffled, follow, other

Slot = tuple[int, int]  # (pile, place in the second masker's list)


def slot_text(slot: Slot) -> str:
    """A slot as it is named in an entry: `0:17`."""
    return f"{slot[0]}:{slot[1]}"


@dataclass(frozen=True)
class Table:
    """Piles, the slots still in the deck, the slots of every zone, and the cards opened so far."""

    game: AnyGame
    piles: tuple[Pile, ...]
    deck: tuple[Slot, ...]
    zones: Mapping[str, tuple[Slot, ...]]
    cards: Mapping[Slot, int]

    @classmethod
    def laid(cls, game: AnyGame) -> Table:
        """The table after the set-up's deal (protocol 7.4), nothing masked yet."""
        if not game.copies:
            return cls(game, (), (), {}, {})
        pile = Pile.of(0, range(6 * game.copies), "A")
        zones, deck = follow({}, _slots(pile), game.deal, lambda slot: None)
        return cls(game, (pile,), deck, zones, {})

    def pile_of(self, slot: Slot) -> Pile:
        """The pile that a slot belongs to."""
        return self.piles[slot[0]]

    def find_slot(self, text: str) -> Slot | None:
        """The slot of that name, None if there is none."""
        number, _, place = text.partition(":")
        if len(number) > 4 or len(place) > 4:  # no pile is so large, and int() stays cheap
            return None
        slot = int(number), int(place)
        exists = slot[0] < len(self.piles) and slot[1] < len(self.piles[slot[0]])
        return slot if exists else None

    def colour_of(self, slot: Slot) -> int | None:
        """The colour of an opened slot, None for a closed one."""
        card = self.cards.get(slot)
        return None if card is None else card // self.game.copies

    def with_pile(self, pile: Pile) -> Table:
        """The table with a newer state of one of its piles."""
        piles = (*self.piles[: pile.number], pile, *self.piles[pile.number + 1 :])
        return replace(self, piles=piles)

    def with_opened(self, opened: Mapping[Slot, int]) -> Table:
        """The table with more cards face up. Says nothing about whether they are proved."""
        return replace(self, cards={**self.cards, **opened})

    def after(self, events: Iterable[Event], seat: Seat) -> Table:
        """The table after the events of a step by `seat`.

        A shuffle makes a new pile of exactly the cards in its source zone, first masked by the
        author of the entry in which it happens (7.5). Raises LookupError where a card moved is not
        open.
        """
        table = self
        pending: list[Event] = []
        for event in events:
            pending.append(event)
            if isinstance(event, Shuffled):
                table = table._followed(pending)._reshuffled(event.source, seat)
                pending = []
        return table._followed(pending)

    def _followed(self, events: Iterable[Event]) -> Table:
        zones, deck = follow(self.zones, self.deck, events, self.colour_of)
        return replace(self, zones=zones, deck=deck)

    def _reshuffled(self, source: str, seat: Seat) -> Table:
        pile = Pile.of(len(self.piles), (self.cards[slot] for slot in self.zones[source]), seat)
        zones = {**self.zones, source: ()}
        return replace(self, piles=(*self.piles, pile), deck=_slots(pile), zones=zones)

    def second_mask_due(self, seat: Seat) -> Pile | None:
        """The pile that waits for `seat`'s mask as second masker, if any (7.2)."""
        for pile in self.piles:
            if pile.second == seat and pile.first_list is not None and pile.second_list is None:
                return pile
        return None

    def first_mask_due(self) -> Pile | None:
        """The pile that was made and not masked at all yet, if any."""
        return next((pile for pile in self.piles if pile.first_list is None), None)

    def gives_due(self, seat: Seat) -> tuple[Slot, ...]:
        """The slots that `seat` owes a give for and can pay now (7.2), in ascending order."""
        due = []
        for slot, owner in self._dealt():
            pile = self.pile_of(slot)
            if pile.second_list is None:
                continue
            if owner in (other(seat), None) and not self._given(slot, seat, owner):
                due.append(slot)
        return tuple(sorted(due))

    def _given(self, slot: Slot, seat: Seat, owner: Seat | None) -> bool:
        """A drawn card waits for its one give; a face-up card for the first give by anybody."""
        pile = self.pile_of(slot)
        if owner:
            return pile.has_given(seat, slot[1])
        return pile.has_given("A", slot[1]) or pile.has_given("B", slot[1])

    def face_up_due(self, seat: Seat) -> tuple[Slot, ...]:
        """The closed face-up slots that `seat` can open now, the other having given (7.2)."""
        return tuple(
            sorted(
                slot
                for slot, owner in self._dealt()
                if owner is None and self.pile_of(slot).has_given(other(seat), slot[1])
            )
        )

    def cups_due(self, seat: Seat) -> tuple[Slot, ...]:
        """The closed slots of `seat` that are opened once the game is scored (7.2)."""
        return tuple(
            sorted(
                slot
                for name, zone in self.game.zones.items()
                if zone.owner == seat and zone.opened_at_end
                for slot in self.zones.get(name, ())
                if slot not in self.cards
            )
        )

    def waits(self, mover: Seat) -> bool:
        """Whether the mover has to wait for cards (protocol 7.1)."""
        if any(pile.second_list is None for pile in self.piles):
            return True
        for slot, owner in self._dealt():
            if owner in (mover, None) and not self.pile_of(slot).has_given(other(mover), slot[1]):
                return True
        return False

    def pays(self, seat: Seat) -> bool:
        """Whether `seat` owes something that a `deal` could pay now (7.1)."""
        return bool(self.second_mask_due(seat) or self.gives_due(seat) or self.face_up_due(seat))

    def zone_of(self, slot: Slot) -> str | None:
        """The zone in which a slot lies, None while it is in the deck."""
        return next((name for name, slots in self.zones.items() if slot in slots), None)

    def _dealt(self) -> Iterable[tuple[Slot, Seat | None]]:
        """Every closed slot outside the deck, with the seat that alone may read it."""
        for name, slots in self.zones.items():
            owner = self.game.zones[name].owner
            for slot in slots:
                if slot not in self.cards:
                    yield slot, owner


def _slots(pile: Pile) -> tuple[Slot, ...]:
    return tuple((pile.number, place) for place in range(len(pile)))
