"""The steps that no vector can get past alone, each with the reason.

`test_steps` holds this page against the source: a step is shown by a vector or stands here, and
what stands here is really shown by none.
"""

from __future__ import annotations

from collections.abc import Mapping

# Functions that only those call who write, type or read with a secret; no file comes by.
NOT_FOR_FILES = frozenset({
    "keys Identity.__post_init__", "keys _card_secret", "times format_time",
    "curve ", "curve point",
    "match Match.accepted", "match Match.played", "match refuse_out_of_turn",
    "cards.pile Pile._card", "cards.pile Pile.find_give", "cards.pile _divide",
    "cards.equality prove_equality", "cards.shuffle _order", "cards.shuffle prove_shuffle",
    "rules.mandala.notation _mandalas", "rules.mandala.notation _no_extras",
    "rules.mandala.notation _only", "rules.mandala.notation parse", "rules.text the_reading",
    "rules.patterns PatternsGame.reveal",
    "rules.patterns.notation parse",
})  # fmt: skip

# Behind these there is nothing to go on with: no text, no map, no key, no card, no slot, no move.
NO_VALUE = frozenset({
    "gamefile.reader _check_text: not UTF-8 at byte {error.start}",
    "gamefile.reader read_tree: raise FormatError(_explain(error)) from None",
    "gamefile.record _game_of_invitation: missing",
    "gamefile.record _game_of_invitation: unknown game {shown(tree['game'])}",
    "gamefile.record _game_of_log: not a list",
    "gamefile.record _game_of_log: missing",
    "gamefile.record _game_of_log: the first entry is no invitation: {shown(act)}",
    "gamefile.record _log.entry: missing",
    "gamefile.shapes binary.shape: not base64: {shown(packed)}",
    "gamefile.shapes check_keys: unknown key",
    "gamefile.shapes items.shape: not a list",
    "gamefile.shapes mapping: not a map",
    "gamefile.shapes scalar: not a scalar",
    "gamefile.shapes time: not a time like 2026-11-30T12:00:00Z: {shown(value)}",
    "times parse_time: not a time like 2026-11-30T12:00:00Z",
    "match check_settled: a settlement by {item['by']}, who does not play",
    "match.verify _check_author: nobody has accepted the invitation yet",
    "match.verify _check_claim: a claim in a match without pace",
    "match.verify _open: the invitation is not by A",
    "match.pay _Case._slots: there is no slot {name}",
    "match.pay pay: raise course",
    "match.course _play_cards: does not open as many cards of the named colour as it plays",
    "match.course _known: does not open {slot_text(slot)}",
    "cards.pile Pile._new_number: {_brief(text)} is no number of the first list",
    "cards.pile Pile.open_pair: slot {self.number}:{index} is not given to {by}",
    "rules.mandala.rules _check_take: no mandala is being destroyed, nothing is to be taken",
    "rules.mandala.rules _check_take: mountain {number} has no {COLOURS[move.colour]}",
    "rules.mandala.notation parse_long: {quoted(text)} is not the long form of a move",
    "rules.patterns.notation parse_long: {quoted(text)} is not the long form of a move",
    "rules.patterns.rules _check_bowl: the tiles left for the bowls are {names}",
    "rules.patterns.rules check: a tile for the bowl is to be chosen first",
})  # fmt: skip

# These refuse a second time what another step refuses too: step -> the other.
TWICE: Mapping[str, str] = {
    "gamefile.reader _check_text: a byte order mark": "it is among the forbidden characters",
    "gamefile.reader _check_text: a directive": "the tree sees those that YAML knows",
    "gamefile.tree TreeBuilder._key: a merge key": "its name is no key",
    "gamefile.tree TreeBuilder._refuse_marks: an alias": "the library calls its name an anchor",
    "gamefile.tree TreeBuilder.finish: the document is no map": "the record wants a map",
    "gamefile.tree TreeBuilder.take: a directive": "the bytes have shown it before",
    "gamefile.record _game_of_log: more than {MAX_ENTRIES} entries":
        "a log of so many good entries would be too large to store here",
    "gamefile.shapes public_key: not an ssh-ed25519 key of 80 characters: {shown(value)}":
        "`keys` refuses the text first",
    "keys parse_key: a key has {TEXT_LENGTH} characters, not {len(text)}":
        "a key is written anew and compared",
    "match.verify _check_claim: a claim before the invitation was accepted":
        "there is no time yet after which one could claim",
    "match.verify _check_pen: the match is over, nothing may follow": "nobody has the pen",
    "cards.pile Pile.with_mask: a mask of {len(points)} points for {len(self.cards)} cards":
        "the shuffle proof is about as many points",
    "cards.pile Pile._slot: there is no slot {self.number}:{index}": "`pay` looks first",
    "cards.pile Pile.mask_source: no mask by {by} is due on pile {self.number}": "`pay` asks first",
    "cards.pile Pile._new_point: {_brief(text)} is no point": "what is no point is not multiplied",
    "cards.equality verify_equality: the equality proof has no pairs or not 64 bytes":
        "the shape has 64 bytes, and `pay` counts the pairs",
    "cards.shuffle verify_shuffle: a shuffle of {n} points into {len(dst)}": "the pile counts",
    "cards.shuffle ShuffleProof.from_bytes: a shuffle proof of {len(data)} bytes for {n} points":
        "the words stand in no equation then",
    "cards.pile parse_card: {_brief(text)} is no card": "the shape knows the cards",
    "cards.pile split_points: a mask of {len(data)} bytes is no list of points": "so does it here",
    "rules.mandala.rules _check_mountain: the player {word} name how many cards to draw":
        "the notation refuses the text first",
    "rules.mandala.notation _same_option: "
    "{quoted(text)} names a draw, but this match draws in full":
        "the rules refuse the move next",
    "rules.mandala.notation _same_option: {quoted(text)} must name its draw: mountain 1 red draw 3":
        "the rules refuse the move next",
    "rules.mandala.rules check: play is over": "nobody has the pen",
    "rules.mandala.rules check: a mountain card is still face down": "the mover waits (7.1)",
    "rules.mandala.rules reveal: no face-down card in zone {zone!r}": "only owed slots are opened",
    "rules.patterns.notation _space: "
    "{name} is no space: row {row} has {columns[0]} to {columns[-1]}":
        "what is no space of its row is no space at all",
    "rules.patterns.notation _space: {name} is no space: the rows are 1 to {len(ROWS)}":
        "the long form has no other rows",
    "rules.patterns.rules _check_bowl: both bowls have their tile": "then no tile is left",
    "rules.patterns.rules check: play is over": "nobody has the pen",
    "match.pay _play: raise violation from error": "it passes on what the rules said",
}  # fmt: skip

# What these forbid cannot be proved: the equality proof, or the chance of 1 in q, stands behind.
PROOF: Mapping[str, str] = {
    "cards.pile Pile._new_card: slot {self.number}:{index} is opened twice":
        "a slot holds one card, which is used then",
    "cards.pile Pile._new_card: card {format_card(card)} is not in pile {self.number}":
        "no masked point is the secret times it",
    "cards.pile Pile._new_card: card {format_card(card)} is opened twice in pile {self.number}":
        "a card lies in one slot",
    "cards.pile Pile._new_number: slot {self.number}:{index} is given twice":
        "a slot has one number, which is used then",
    "cards.pile Pile._new_number: number {number} of the first list is given twice":
        "a number belongs to one slot",
    "cards.pile Pile._new_point: slot {self.number}:{index} is given twice":
        "a slot has one point, which is used then",
    "cards.pile Pile._new_point: point {text} is given twice": "a point belongs to one slot",
    "cards.pile Pile.give_pair: {text} is no point of the group": "no other is multiplied",
    "cards.equality verify_equality: the equality proof fails: {error}": "passes on what follows",
    "cards.shuffle verify_shuffle: the shuffle proof fails: {error}": "passes on what follows",
    "cards.shuffle verify_shuffle: the shuffle proof fails: a scalar is zero":
        "a zero with an answer that holds is met once in q tries",
    "curve base_mult: no multiple of the base point: zero": "an answer of zero, likewise",
    "curve mult: no multiple of {point.hex()}: zero, or no point of the group":
        "a challenge of zero, likewise",
    "cards.transcript Transcript.challenge: challenge {label} is zero": "likewise",
    "curve combine: {point.hex()} is no point of the group":
        "the library refuses; `test_steps` shows one that does not",
    "curve check_point: {point.hex()} is no point of the group": "for terms of factor zero",
    "curve add: the sum of what is no point of the curve": "only sums of points are added",
    "curve subtract: the difference of what is no point of the curve": "only sums of points",
}  # fmt: skip

# These guard the time that reading takes, or what only the library in pure Python would let pass.
READING = frozenset({
    "gamefile.reader read_tree: not YAML: unknown character",
    "gamefile.reader read_tree: a scalar with too many words beside too long a gap",
    "gamefile.tree TreeBuilder._scalar: half of a surrogate pair",
})  # fmt: skip

LAYERED = NO_VALUE | TWICE.keys() | PROOF.keys() | READING
