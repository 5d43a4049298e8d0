"""Divergence from randomness with a parameter for length (Amati and van Rijsbergen, TOIS 2002).

Names say how a model is made: the model of randomness (P, B, In, In_exp, IF), what one more
occurrence is worth (L, B), and how frequency is fitted to length, which is the same everywhere:

    tfn = tf log(1 + c avgdl / dl)
"""

from __future__ import annotations

from collections.abc import Mapping
from math import pi
from typing import TYPE_CHECKING, ClassVar

from pipeline.index.models.base import Positive, Statistics, WeightingModel, model
from pipeline.index.models.functions import LOG_E, exp, ln, log

if TYPE_CHECKING:
    from pipeline.index.models.functions import Array


class Normalisation2(WeightingModel):
    """Divergence from randomness, frequency fitted to length by ``c``."""

    controls: ClassVar[Mapping[str, str]] = {"c": "dfr.c"}

    c: Positive = 1.0
    """How little long documents are held back; large values: hardly."""

    def _tfn(self, tf: Array, dl: Array, s: Statistics) -> Array:
        return tf * log(1 + self.c * s.avgdl / dl)


@model("pl2", terrier="PL2")
class PL2(Normalisation2):
    """Poisson model, Laplace's law of succession (Amati and van Rijsbergen, TOIS 2002).

    f = cf / N
    w / (tfn + 1) (tfn log(1 / f) + f log(e) + 0.5 log(2 pi tfn) + tfn (log(tfn) - log(e)))
    """

    def _score(self, tf: Array, dl: Array, s: Statistics, w: float) -> Array:
        return poisson(self._tfn(tf, dl, s), s, w)


@model("inl2", terrier="InL2")
class InL2(Normalisation2):
    """Inverse document frequency, Laplace's law (Amati and van Rijsbergen, TOIS 2002).

    w tfn / (tfn + 1) log((N + 1) / (df + 0.5))
    """

    def _score(self, tf: Array, dl: Array, s: Statistics, w: float) -> Array:
        tfn = self._tfn(tf, dl, s)
        return tfn * _idf(s, s.df) * w * (1 / (tfn + 1))


@model("inb2", terrier="InB2")
class InB2(Normalisation2):
    """Inverse document frequency, ratio of two Bernoulli trials (Amati, thesis, Glasgow 2003).

    w tfn (cf + 1) / (df (tfn + 1)) log((N + 1) / (df + 0.5))
    """

    def _score(self, tf: Array, dl: Array, s: Statistics, w: float) -> Array:
        tfn = self._tfn(tf, dl, s)
        return tfn * w * _idf(s, s.df) * _bernoulli(tfn, s)


@model("in_exp_b2", terrier="In_expB2")
class InExpB2(Normalisation2):
    """Inverse expected document frequency, two Bernoulli trials (Amati, thesis, Glasgow 2003).

    ne = N (1 - exp(-cf / N))
    w tfn (cf + 1) / (df (tfn + 1)) log((N + 1) / (ne + 0.5))
    """

    def _score(self, tf: Array, dl: Array, s: Statistics, w: float) -> Array:
        tfn = self._tfn(tf, dl, s)
        return tfn * _idf(s, _expected(s)) * w * _bernoulli(tfn, s)


@model("in_exp_c2", terrier="In_expC2")
class InExpC2(Normalisation2):
    """As in_exp_b2, frequency fitted to length by a natural logarithm (Amati, thesis 2003).

    tfn = tf ln(1 + c avgdl / dl), the rest as in in_exp_b2
    """

    def _score(self, tf: Array, dl: Array, s: Statistics, w: float) -> Array:
        tfn = tf * ln(1 + self.c * s.avgdl / dl)
        return tfn * _idf(s, _expected(s)) * w * _bernoulli(tfn, s)


@model("ifb2", terrier="IFB2")
class IFB2(Normalisation2):
    """Inverse term frequency, ratio of two Bernoulli trials (Amati, thesis, Glasgow 2003).

    w tfn (cf + 1) / (df (tfn + 1)) log((N + 1) / (cf + 0.5))
    """

    def _score(self, tf: Array, dl: Array, s: Statistics, w: float) -> Array:
        tfn = self._tfn(tf, dl, s)
        return tfn * w * _idf(s, s.cf) * _bernoulli(tfn, s)


@model("bb2", terrier="BB2")
class BB2(Normalisation2):
    """Bose-Einstein statistics, two Bernoulli trials (Amati and van Rijsbergen, TOIS 2002).

    s(n, m) = (m + 0.5) log(n / m) + (n - m) log(n)
    w (cf + 1) / (df (tfn + 1))
    (-log(N - 1) - log(e) + s(N + cf - 1, N + cf - tfn - 2) - s(cf, cf - tfn))

    Has no value where a term is rarer than its fitted frequency; such documents are left out.
    """

    def _score(self, tf: Array, dl: Array, s: Statistics, w: float) -> Array:
        tfn = self._tfn(tf, dl, s)
        among_all = _stirling(s.N + s.cf - 1, s.N + s.cf - tfn - 2)
        among_its = _stirling(s.cf, s.cf - tfn)
        drawn = -log(s.N - 1) - LOG_E + among_all - among_its
        return _bernoulli(tfn, s) * w * drawn


@model("dfr_bm25", terrier="DFR_BM25")
class DFRBM25(Normalisation2):
    """BM25 as divergence from randomness comes to it (Amati, thesis, Glasgow 2003).

    (1001 w) / (1000 + w) tfn / (tfn + 1.2) log((N - df + 0.5) / (df + 0.5))
    """

    def _score(self, tf: Array, dl: Array, s: Statistics, w: float) -> Array:
        tfn = self._tfn(tf, dl, s)
        idf = log((s.N - s.df + 0.5) / (s.df + 0.5))
        return 1001 * w / (1000 + w) * (1 / (tfn + 1.2)) * tfn * idf


@model("lgd", terrier="LGD")
class LGD(Normalisation2):
    """Log-logistic distribution of frequencies (Clinchant and Gaussier, ICTIR 2009).

    w log((df / N + tfn) / (df / N))
    """

    def _score(self, tf: Array, dl: Array, s: Statistics, w: float) -> Array:
        share = s.df / s.N
        return w * log((share + self._tfn(tf, dl, s)) / share)


def poisson(tfn: Array, s: Statistics, w: float) -> Array:
    """The formula of pl2, from ``tfn`` on."""
    f = s.cf / s.N
    divergence = tfn * log(1 / f) + f * LOG_E + 0.5 * log(2 * pi * tfn) + tfn * (log(tfn) - LOG_E)
    return 1 / (tfn + 1) * w * divergence


def _bernoulli(tfn: Array, s: Statistics) -> Array:
    return (s.cf + 1) / (s.df * (tfn + 1))


def _idf(s: Statistics, n: float) -> float:
    return log((s.N + 1) / (n + 0.5))


def _expected(s: Statistics) -> float:
    return s.N * (1 - exp(-(s.cf / s.N)))


def _stirling(n: float, m: Array) -> Array:
    return (m + 0.5) * log(n / m) + (n - m) * log(n)
