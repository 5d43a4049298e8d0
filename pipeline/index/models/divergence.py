"""Divergence from randomness with a parameter for length (Amati and van Rijsbergen, TOIS 2002).

Names say how a model is made: the model of randomness (P, B, In, In_exp, IF), what one more
occurrence is worth (L, B), and how frequency is fitted to length, which is the same everywhere:

    tfn = tf log(1 + c avgdl / dl)
"""

from collections.abc import Mapping
from typing import ClassVar

from pipeline.index.models.base import Positive, WeightingModel, model


class Normalisation2(WeightingModel):
    """Divergence from randomness, frequency fitted to length by ``c``."""

    controls: ClassVar[Mapping[str, str]] = {"c": "dfr.c"}

    c: Positive = 1.0
    """How little long documents are held back; large values: hardly."""


@model("pl2", terrier="PL2")
class PL2(Normalisation2):
    """Poisson model, Laplace's law of succession (Amati and van Rijsbergen, TOIS 2002).

    f = cf / N
    w / (tfn + 1) (tfn log(1 / f) + f log(e) + 0.5 log(2 pi tfn) + tfn (log(tfn) - log(e)))
    """


@model("inl2", terrier="InL2")
class InL2(Normalisation2):
    """Inverse document frequency, Laplace's law (Amati and van Rijsbergen, TOIS 2002).

    w tfn / (tfn + 1) log((N + 1) / (df + 0.5))
    """


@model("inb2", terrier="InB2")
class InB2(Normalisation2):
    """Inverse document frequency, ratio of two Bernoulli trials (Amati, thesis, Glasgow 2003).

    w tfn (cf + 1) / (df (tfn + 1)) log((N + 1) / (df + 0.5))
    """


@model("in_exp_b2", terrier="In_expB2")
class InExpB2(Normalisation2):
    """Inverse expected document frequency, two Bernoulli trials (Amati, thesis, Glasgow 2003).

    ne = N (1 - exp(-cf / N))
    w tfn (cf + 1) / (df (tfn + 1)) log((N + 1) / (ne + 0.5))
    """


@model("in_exp_c2", terrier="In_expC2")
class InExpC2(Normalisation2):
    """As in_exp_b2, frequency fitted to length by a natural logarithm (Amati, thesis 2003).

    tfn = tf ln(1 + c avgdl / dl), the rest as in in_exp_b2
    """


@model("ifb2", terrier="IFB2")
class IFB2(Normalisation2):
    """Inverse term frequency, ratio of two Bernoulli trials (Amati, thesis, Glasgow 2003).

    w tfn (cf + 1) / (df (tfn + 1)) log((N + 1) / (cf + 0.5))
    """


@model("bb2", terrier="BB2")
class BB2(Normalisation2):
    """Bose-Einstein statistics, two Bernoulli trials (Amati and van Rijsbergen, TOIS 2002).

    s(n, m) = (m + 0.5) log(n / m) + (n - m) log(n)
    w (cf + 1) / (df (tfn + 1))
    (-log(N - 1) - log(e) + s(N + cf - 1, N + cf - tfn - 2) - s(cf, cf - tfn))

    Has no value where a term is rarer than its fitted frequency; such documents are left out.
    """


@model("dfr_bm25", terrier="DFR_BM25")
class DFRBM25(Normalisation2):
    """BM25 as divergence from randomness comes to it (Amati, thesis, Glasgow 2003).

    (1001 w) / (1000 + w) tfn / (tfn + 1.2) log((N - df + 0.5) / (df + 0.5))
    """


@model("lgd", terrier="LGD")
class LGD(Normalisation2):
    """Log-logistic distribution of frequencies (Clinchant and Gaussier, ICTIR 2009).

    w log((df / N + tfn) / (df / N))
    """
