"""The shuffle proof: a published list is the source list, each point times one k, in some order.

Protocol 6.4. It shows neither k nor the order. The proof of n points, n >= 2, has 2 n + 8 words of
32 bytes: c1 c2 ce cd cD T U, r' s' zeta, a_1 .. a_n, b'_2 .. b'_(n-1). Lists here count from 0
where the protocol counts from 1. Whose list it is, and that it is sorted, is for `pile`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

from mbp.cards.pile import split_points
from mbp.cards.transcript import Place, Randomness, SecretNumbers, Transcript
from mbp.curve import (
    NEUTRAL,
    PointError,
    Q,
    add,
    base_mult,
    combine,
    generator,
    mult,
    scalar_from_bytes,
    scalar_to_bytes,
)
from mbp.errors import ProofError


@dataclass(frozen=True)
class ShuffleProof:
    """The words of a proof, named as in protocol 6.4; `b` has n - 2 scalars."""

    c1: bytes
    c2: bytes
    ce: bytes
    cd: bytes
    cD: bytes  # noqa: N815 - the protocol's name
    T: bytes
    U: bytes
    r: int
    s: int
    zeta: int
    a: tuple[int, ...]
    b: tuple[int, ...]

    def to_bytes(self) -> bytes:
        """The 32 (2 n + 8) bytes as they stand in the entry."""
        scalars = (self.r, self.s, self.zeta, *self.a, *self.b)
        points = (self.c1, self.c2, self.ce, self.cd, self.cD, self.T, self.U)
        return b"".join((*points, *map(scalar_to_bytes, scalars)))

    @classmethod
    def from_bytes(cls, data: bytes, n: int) -> ShuffleProof:
        """Cuts a proof for n points into words; points are not tested yet.

        Raises PointError for another length and for a scalar that is not below Q.
        """
        if n < 2 or len(data) != 32 * (2 * n + 8):
            raise PointError(f"a shuffle proof of {len(data)} bytes for {n} points")
        words = split_points(data)
        r, s, zeta, *rest = map(scalar_from_bytes, words[7:])
        c1, c2, ce, cd, c_d, t, u = words[:7]
        return cls(c1, c2, ce, cd, c_d, t, u, r, s, zeta, tuple(rest[:n]), tuple(rest[n:]))


@dataclass
class _Talk:
    """The transcript of a shuffle proof, and its challenges in order."""

    transcript: Transcript

    @classmethod
    def begin(cls, place: Place, src: Sequence[bytes], dst: Sequence[bytes]) -> _Talk:
        """The statement."""
        transcript = Transcript.start("shuffle", place)
        transcript.absorb("src", b"".join(src))
        transcript.absorb("dst", b"".join(dst))
        return cls(transcript)

    def x(self, c1: bytes) -> int:
        """Asked once the order is fixed in c1."""
        self.transcript.absorb("c1", c1)
        return self.transcript.challenge("x")

    def yz(self, c2: bytes) -> tuple[int, int]:
        """Asked once the powers of x are fixed in c2."""
        self.transcript.absorb("c2", c2)
        return self.transcript.challenge("y"), self.transcript.challenge("z")

    def lam(self, ce: bytes, cd: bytes, c_d: bytes, t: bytes, u: bytes) -> int:
        """lambda, asked once all is fixed."""
        for label, point in (("ce", ce), ("cd", cd), ("cD", c_d), ("T", t), ("U", u)):
            self.transcript.absorb(label, point)
        return self.transcript.challenge("lambda")


def prove_shuffle(
    place: Place, src: Sequence[bytes], dst: Sequence[bytes], secret: int, randomness: Randomness
) -> bytes:
    """Proves that `dst` is `src` times `secret`, reordered.

    Raises ProofError if it is not, or `secret` not that of the key: nothing false is proved.
    """
    try:
        if len(src) < 2 or base_mult(secret) != place.key:
            raise ProofError("no shuffle proof without two points and the secret of the key")
        pi = _order(src, dst, secret)
        talk = _Talk.begin(place, src, dst)
        # They depend on the whole statement (5.5), so no two proofs share one.
        numbers = SecretNumbers(secret, talk.transcript, randomness)
        return _prove(talk, src, pi, secret, numbers).to_bytes()
    except PointError as error:
        raise ProofError(f"no shuffle proof: {error}") from error


def _order(src: Sequence[bytes], dst: Sequence[bytes], secret: int) -> list[int]:
    """pi, from 1: dst_j = k src_pi(j). Raises ProofError unless it is an order of all of `src`."""
    places = {mult(secret, point): place for place, point in enumerate(src, start=1)}
    pi = [places.get(point, 0) for point in dst]
    if sorted(pi) != list(range(1, len(src) + 1)):
        raise ProofError("the list is not the source times the secret")
    return pi


def _prove(
    talk: _Talk, src: Sequence[bytes], pi: Sequence[int], k: int, secret: SecretNumbers
) -> ShuffleProof:
    """Protocol 6.4 in its order, under its names."""
    n = len(pi)
    r1, r2, re, s1, sx, alpha = secret.draws(6)
    c1 = _commit_order(pi, r1)
    x = talk.x(c1)
    powers = _powers(x, n)
    c2 = _commit([powers[i - 1] for i in pi], r2)
    y, z = talk.yz(c2)

    w = _polynomial(x, y, z, n)
    d = [w[i - 1] for i in pi]
    b = list(accumulate(d, lambda product, factor: product * factor % Q))
    e = secret.draws(n)
    delta = [e[0], *secret.draws(n - 2), 0]
    ce = _commit(e, re)
    cd = _commit([-delta[j] * e[j + 1] for j in range(n - 1)], s1)
    c_d = _commit([delta[j + 1] - d[j + 1] * delta[j] - b[j] * e[j + 1] for j in range(n - 1)], sx)
    # T = sum e_j dst_j - alpha sum w_i src_i, with dst_j = k src_pi(j): one sum over src.
    in_t = {i: k * e[j] - alpha * w[i - 1] for j, i in enumerate(pi)}
    t = combine((in_t[i] % Q, point) for i, point in enumerate(src, start=1))
    u = base_mult(alpha)
    lam = talk.lam(ce, cd, c_d, t, u)

    # Every answer is blinded by a number that is used nowhere else: re, s1, alpha, e_j, delta_j.
    return ShuffleProof(
        *(c1, c2, ce, cd, c_d, t, u),
        r=(lam * (y * r1 + r2) + re) % Q,
        s=(lam * sx + s1) % Q,
        zeta=(lam * k + alpha) % Q,
        a=tuple((lam * d[j] + e[j]) % Q for j in range(n)),
        b=tuple((lam * b[j] + delta[j]) % Q for j in range(1, n - 1)),
    )


def verify_shuffle(place: Place, src: Sequence[bytes], dst: Sequence[bytes], proof: bytes) -> None:
    """Verifies a proof. Raises ProofError if it fails, in this order (protocol 6.4, 5.5):

    1. `dst` is as long as `src`, the proof has 2 n + 8 words, its scalars are below Q
    2. no challenge is zero; none of r', s', zeta, a_j, w_i, l b'_(j+1) - b'_j a_(j+1) is
    3. every point, of the lists, of the proof and the key, is valid
    4. the four equations hold, checked as one sum under weights
    """
    n = len(src)
    try:
        if len(dst) != n:  # 1
            raise ProofError(f"a shuffle of {n} points into {len(dst)}")
        words = ShuffleProof.from_bytes(proof, n)
        talk = _Talk.begin(place, src, dst)
        x = talk.x(words.c1)  # 2
        y, z = talk.yz(words.c2)
        lam = talk.lam(words.ce, words.cd, words.cD, words.T, words.U)
        w = _polynomial(x, y, z, n)
        steps = _product_steps(words, lam, w)
        if 0 in (words.r, words.s, words.zeta, *words.a, *w, *steps):
            raise ProofError("the shuffle proof fails: a scalar is zero")
        weights = talk.transcript.weights(proof, 4)
        # 3: `combine` tests every point it is given, here all but the bases H_j and G.
        terms = _equations(words, (y, z, lam), w, steps, weights, place.key, src, dst)
        total = add(combine(terms), base_mult(weights[3] * words.zeta % Q))  # 4
    except PointError as error:
        raise ProofError(f"the shuffle proof fails: {error}") from error
    if total != NEUTRAL:
        raise ProofError("the shuffle proof fails")


def _product_steps(words: ShuffleProof, lam: int, w: Sequence[int]) -> list[int]:
    """l b'_(j+1) - b'_j a_(j+1), with b'_1 = a_1 and b'_n = l * product of all w_i."""
    last = lam
    for factor in w:
        last = last * factor % Q
    b = (words.a[0], *words.b, last)
    return [(lam * b[j + 1] - b[j] * words.a[j + 1]) % Q for j in range(len(w) - 1)]


def _equations(
    words: ShuffleProof,
    challenges: tuple[int, int, int],
    w: Sequence[int],
    steps: Sequence[int],
    weights: Sequence[int],
    key: bytes,
    src: Sequence[bytes],
    dst: Sequence[bytes],
) -> Iterator[tuple[int, bytes]]:
    """The terms, but for zeta G, of p E1 + q E2 + t E3 + u E4; each E is left minus right side:

    E1: l (y c1 + c2 - z sum H_j) + ce - com(a; r')      E3: sum a_j dst_j - zeta sum w_i src_i - T
    E2: l cD + cd - com(steps; s')                       E4: zeta G - l K - U

    The weights p, q, t, u are a hash of all else, so errors cannot be made to cancel: a proof in
    which some E is not neutral has a chance of 1 in Q for a neutral sum.
    """
    y, z, lam = challenges
    p, q, t, u = weights
    yield from ((p * lam * y % Q, words.c1), (p * lam % Q, words.c2), (p, words.ce))
    yield from ((q * lam % Q, words.cD), (q, words.cd))
    yield from ((Q - t, words.T), (Q - u, words.U), (-u * lam % Q, key))
    yield -(p * words.r + q * words.s) % Q, generator(0)
    # E1 and E2 share the bases: one multiplication for both.
    for j, step in enumerate((*steps, 0)):
        yield -(p * (words.a[j] + lam * z) + q * step) % Q, generator(j + 1)
    for j, point in enumerate(dst):
        yield t * words.a[j] % Q, point
    for i, point in enumerate(src):
        yield -t * words.zeta * w[i] % Q, point


def _powers(x: int, n: int) -> list[int]:
    """x^1 .. x^n."""
    return list(accumulate([x] * n, lambda power, factor: power * factor % Q))


def _polynomial(x: int, y: int, z: int, n: int) -> list[int]:
    """w_i = y i + x^i - z for i = 1 .. n."""
    return [(y * i + power - z) % Q for i, power in enumerate(_powers(x, n), start=1)]


def _commit(values: Sequence[int], r: int) -> bytes:
    """com(v; r) = r H_0 + sum v_j H_j (protocol 5.2); values are taken mod Q.

    r is uniform and used once, so the commitment hides the values; another opening of it would tell
    how the bases depend on each other, which nobody knows.
    """
    return combine((value % Q, generator(j)) for j, value in enumerate((r, *values)))


def _commit_order(pi: Sequence[int], r: int) -> bytes:
    """com(pi(1), ..., pi(n); r) with additions, which are cheap, for the multiplications.

    The sum of i times the base at i is the sum of all tails: base n, bases n and n - 1, and so on.
    """
    base_at = {i: generator(j) for j, i in enumerate(pi, start=1)}
    tail, total = NEUTRAL, combine([(r, generator(0))])
    for i in range(len(pi), 0, -1):
        tail = add(tail, base_at[i])
        total = add(total, tail)
    return total
