"""A second, slow way to the same answers: the curve in plain integers, the shuffle line by line.

The curve part uses nothing of mbp. The shuffle part follows protocol 6.4 one operation at a time
over `mbp.curve`; its prover proves whatever it is told to, false statements too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha512
from typing import TypeAlias

from mbp.cards.transcript import Place, Transcript
from mbp.curve import (
    NEUTRAL,
    PointError,
    add,
    base_mult,
    check_point,
    generator,
    mult,
    scalar_from_bytes,
    scalar_to_bytes,
    subtract,
)

P = 2**255 - 19
Q = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
Affine: TypeAlias = tuple[int, int]
ZERO: Affine = (0, 1)


def plain_add(left: Affine, right: Affine) -> Affine:
    """The addition law of -x^2 + y^2 = 1 + d x^2 y^2, complete on the whole curve."""
    (x1, y1), (x2, y2) = left, right
    twist = D * x1 * x2 * y1 * y2 % P
    x = (x1 * y2 + x2 * y1) * pow(1 + twist, -1, P)
    y = (y1 * y2 + x1 * x2) * pow(1 - twist, -1, P)
    return x % P, y % P


def plain_mult(scalar: int, point: Affine) -> Affine:
    """Double and add."""
    total = ZERO
    for bit in bin(scalar)[2:]:
        total = plain_add(total, total)
        if bit == "1":
            total = plain_add(total, point)
    return total


def plain_x(y: int) -> int | None:
    """The even x of a point with this y, None where there is none."""
    square = (y * y - 1) * pow(D * y * y + 1, -1, P) % P
    root: int = pow(square, (P + 3) // 8, P)
    if root * root % P != square:
        root = root * pow(2, (P - 1) // 4, P) % P
    if root * root % P != square:
        return None
    return root if root % 2 == 0 else P - root


def encode(point: Affine) -> bytes:
    """RFC 8032, 5.1.2."""
    return (point[1] | (point[0] & 1) << 255).to_bytes(32, "little")


def decode(data: bytes) -> Affine:
    """RFC 8032, 5.1.3, for points that are on the curve."""
    number = int.from_bytes(data, "little")
    y, odd = number & (2**255 - 1), number >> 255
    x = plain_x(y)
    assert x is not None
    return (P - x if odd else x), y


BASE = decode((4 * pow(5, -1, P) % P).to_bytes(32, "little"))


def torsion() -> list[Affine]:
    """The eight points whose order divides 8."""
    y = 2
    while True:
        x = plain_x(y)
        if x is not None:
            eighth = plain_mult(Q, (x, y))
            if plain_mult(4, eighth) != ZERO:
                return [plain_mult(times, eighth) for times in range(8)]
        y += 1


def numbers(seed: str) -> Callable[[int], list[int]]:
    """A source of scalars that tells the same again: numbers(seed)(3) is a list of three."""
    count = 0

    def draw(many: int) -> list[int]:
        nonlocal count
        count += many
        labels = (f"{seed} {number}".encode() for number in range(count - many, count))
        return [int.from_bytes(sha512(label).digest(), "little") % Q for label in labels]

    return draw


def steady(seed: str) -> Callable[[int], bytes]:
    """Randomness for a prover that is the same again."""
    return lambda count: (sha512(seed.encode()).digest() * count)[:count]


def combined(scalars: Sequence[int], points: Sequence[bytes]) -> bytes:
    """sum scalar * point, one library call after the other; zeros add nothing."""
    total = NEUTRAL
    for scalar, point in zip(scalars, points, strict=True):
        if scalar % Q:
            total = add(total, mult(scalar % Q, point))
    return total


def com(values: Sequence[int], r: int) -> bytes:
    """com(v; r) of protocol 5.2."""
    return combined([r, *values], [generator(j) for j in range(len(values) + 1)])


@dataclass(frozen=True)
class Shuffle:
    """A statement with the secret that makes it, perhaps, true; pi counts from 1."""

    place: Place
    src: tuple[bytes, ...]
    dst: tuple[bytes, ...]
    pi: tuple[int, ...]
    secret: int


def true_shuffle(seed: str, n: int) -> Shuffle:
    """A true statement about n points."""
    draw = numbers(seed)
    (secret,) = draw(1)
    src = tuple(base_mult(scalar) for scalar in draw(n))
    dst = tuple(sorted(mult(secret, point) for point in src))
    pi = tuple(1 + [mult(secret, point) for point in src].index(point) for point in dst)
    return Shuffle(Place(bytes(32), b"{}", base_mult(secret)), src, dst, pi, secret)


def start_shuffle(shuffle: Shuffle, purpose: str = "shuffle") -> Transcript:
    """The transcript of the statement."""
    transcript = Transcript.start(purpose, shuffle.place)
    transcript.absorb("src", b"".join(shuffle.src))
    transcript.absorb("dst", b"".join(shuffle.dst))
    return transcript


def answer(transcript: Transcript, label: str, data: bytes, *challenges: str) -> list[int]:
    """Absorbs one commitment, gives the challenges after it."""
    transcript.absorb(label, data)
    return [transcript.challenge(name) for name in challenges]


def plain_prove(
    shuffle: Shuffle, offsets: Mapping[str, bytes] | None = None, purpose: str = "shuffle"
) -> bytes:
    """Protocol 6.4, true or not; `offsets` are added to ce, cd, cD, T, U before they are sent."""
    shift = dict.fromkeys(("ce", "cd", "cD", "T", "U"), NEUTRAL) | dict(offsets or {})
    pi, k, n = shuffle.pi, shuffle.secret, len(shuffle.pi)
    transcript = start_shuffle(shuffle, purpose)
    draw = numbers("prover")
    r1, r2, re, s1, sx, alpha = draw(6)
    e, delta = draw(n), draw(n)
    delta[0], delta[-1] = e[0], 0

    c1 = com(pi, r1)
    (x,) = answer(transcript, "c1", c1, "x")
    c2 = com([pow(x, i, Q) for i in pi], r2)
    y, z = answer(transcript, "c2", c2, "y", "z")
    w = [(y * i + pow(x, i, Q) - z) % Q for i in range(1, n + 1)]
    d = [w[i - 1] for i in pi]
    b = [d[0]]
    for factor in d[1:]:
        b.append(b[-1] * factor % Q)
    down = [-delta[j] * e[j + 1] for j in range(n - 1)]
    up = [delta[j + 1] - d[j + 1] * delta[j] - b[j] * e[j + 1] for j in range(n - 1)]
    t = subtract(combined(e, shuffle.dst), combined([alpha * factor for factor in w], shuffle.src))
    fixed = {"ce": com(e, re), "cd": com(down, s1), "cD": com(up, sx), "T": t}
    fixed["U"] = base_mult(alpha)
    sent = {name: add(point, shift[name]) for name, point in fixed.items()}
    for name, point in sent.items():
        transcript.absorb(name, point)
    lam = transcript.challenge("lambda")
    scalars = [lam * (y * r1 + r2) + re, lam * sx + s1, lam * k + alpha]
    scalars += [lam * d[j] + e[j] for j in range(n)]
    scalars += [lam * b[j] + delta[j] for j in range(1, n - 1)]
    words = [c1, c2, *sent.values(), *(scalar_to_bytes(scalar % Q) for scalar in scalars)]
    return b"".join(words)


def plain_errors(shuffle: Shuffle, proof: bytes) -> list[bytes] | None:
    """Left minus right side of the four lines of the check; None for what is refused before.

    The order of protocol 5 and 6.4: received points and scalars, challenges, zeros, lines.
    """
    n = len(shuffle.src)
    if n < 2 or len(shuffle.dst) != n or len(proof) != 32 * (2 * n + 8):
        return None
    words = [proof[at : at + 32] for at in range(0, len(proof), 32)]
    try:
        for point in (*shuffle.src, *shuffle.dst, shuffle.place.key, *words[:7]):
            check_point(point)
        r, s, zeta, *rest = [scalar_from_bytes(word) for word in words[7:]]
    except PointError:
        return None
    c1, c2, ce, cd, c_d, t, u = words[:7]
    transcript = start_shuffle(shuffle)
    (x,) = answer(transcript, "c1", c1, "x")
    y, z = answer(transcript, "c2", c2, "y", "z")
    for label, point in (("ce", ce), ("cd", cd), ("cD", c_d), ("T", t)):
        transcript.absorb(label, point)
    (lam,) = answer(transcript, "U", u, "lambda")
    w = [(y * i + pow(x, i, Q) - z) % Q for i in range(1, n + 1)]
    a, b = rest[:n], [rest[0], *rest[n:], lam]
    for factor in w:
        b[-1] = b[-1] * factor % Q
    steps = [(lam * b[j + 1] - b[j] * a[j + 1]) % Q for j in range(n - 1)]
    if 0 in (r, s, zeta, *a, *w, *steps):
        return None
    bases = combined([1] * n, [generator(j) for j in range(1, n + 1)])
    first = subtract(add(mult(y, c1), c2), mult(z, bases))
    wsrc = combined(w, shuffle.src)
    return [
        subtract(add(mult(lam, first), ce), com(a, r)),
        subtract(add(mult(lam, c_d), cd), com(steps, s)),
        subtract(combined(a, shuffle.dst), add(mult(zeta, wsrc), t)),
        subtract(base_mult(zeta), add(mult(lam, shuffle.place.key), u)),
    ]


def plain_verify(shuffle: Shuffle, proof: bytes) -> bool:
    """Whether all four lines hold."""
    errors = plain_errors(shuffle, proof)
    return errors is not None and all(error == NEUTRAL for error in errors)
