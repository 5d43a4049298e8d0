"""Models without a parameter: divergence from randomness, and from independence."""

from __future__ import annotations

from math import pi
from typing import TYPE_CHECKING

from pipeline.index.models.base import Statistics, WeightingModel, model
from pipeline.index.models.functions import log, sqrt, where

if TYPE_CHECKING:
    from pipeline.index.models.functions import Array


@model("dph", terrier="DPH")
class DPH(WeightingModel):
    """Hypergeometric model, Popper's normalisation (Amati et al., TREC 2007).

    f = tf / dl, 0.99999 if that is 1
    w (1 - f)^2 / (tf + 1) (tf log(tf avgdl / dl N / cf) + 0.5 log(2 pi tf (1 - f)))
    """

    def _score(self, tf: Array, dl: Array, s: Statistics, w: float) -> Array:
        f = _relative(tf, dl)
        norm = (1 - f) * (1 - f) / (tf + 1)
        gain = tf * log(tf * s.avgdl / dl * (s.N / s.cf)) + 0.5 * log(2 * pi * tf * (1 - f))
        return w * norm * gain


@model("dlh", terrier="DLH")
class DLH(WeightingModel):
    """Hypergeometric model, Laplace's law of succession (Amati, ECIR 2006).

    f = tf / dl, 0.99999 if that is 1
    w / (tf + 0.5) (tf log(tf avgdl / dl N / cf) + (dl - tf) log(1 - f)
                    + 0.5 log(2 pi tf (1 - f)))
    """

    def _score(self, tf: Array, dl: Array, s: Statistics, w: float) -> Array:
        f = _relative(tf, dl)
        gain = tf * log(tf * s.avgdl / dl * (s.N / s.cf)) + (dl - tf) * log(1 - f)
        return w * (gain + 0.5 * log(2 * pi * tf * (1 - f))) / (tf + 0.5)


@model("dlh13", terrier="DLH13")
class DLH13(WeightingModel):
    """DLH without its middle part (Macdonald et al., TREC 2005).

    f = tf / dl, 0.99999 if that is 1
    w / (tf + 0.5) (tf log(tf avgdl / dl N / cf) + 0.5 log(2 pi tf (1 - f)))
    """

    def _score(self, tf: Array, dl: Array, s: Statistics, w: float) -> Array:
        f = _relative(tf, dl)
        gain = tf * log(tf * s.avgdl / dl * (s.N / s.cf)) + 0.5 * log(2 * pi * tf * (1 - f))
        return w * gain / (tf + 0.5)


@model("dfree", terrier="DFRee")
class DFRee(WeightingModel):
    """Mean of two divergences made by one more occurrence (Amati, in Terrier, 2009).

    p = tf / dl, q = (tf + 1) / (dl + 1)
    w tf log(q / p) (-tf log(p C / cf) + (tf + 1) log(q C / cf) + 0.5 log(q / p))
    """

    def _score(self, tf: Array, dl: Array, s: Statistics, w: float) -> Array:
        p, q = _one_more(tf, dl)
        rare, growth = s.C / s.cf, log(q / p)
        gain = tf * -log(p * rare) + (tf + 1) * log(q * rare) + 0.5 * growth
        return w * (tf * growth) * gain


@model("dfree_klim", terrier="DFReeKLIM")
class DFReeKLIM(WeightingModel):
    """Product of two divergences made by one more occurrence (Amati et al., TREC 2011).

    p = tf / dl, q = (tf + 1) / (dl + 1)
    w tf log(q / p) log(p C / cf)
    """

    def _score(self, tf: Array, dl: Array, s: Statistics, w: float) -> Array:
        p, q = _one_more(tf, dl)
        return w * tf * log(q / p) * log(p / (s.cf / s.C))


@model("js_kls", terrier="Js_KLs")
class JsKLs(WeightingModel):
    """Jeffreys' divergence times Kullback and Leibler's (Amati, ECIR 2006).

    p = tf / dl, q = (tf + 1) / (dl + 1)
    w tf dl / (dl + 1) (1 - p) log((tf + 1) / tf) (log(q C / cf) + tf log(1 + 1 / tf))
    """

    def _score(self, tf: Array, dl: Array, s: Statistics, w: float) -> Array:
        p, q = _one_more(tf, dl)
        jeffreys = dl / (dl + 1) * (1 - p) * log((tf + 1) / tf)
        return w * tf * jeffreys * (log(q / (s.cf / s.C)) + tf * log(1 + 1 / tf))


@model("xsqra_m", terrier="XSqrA_M")
class XSqrAM(WeightingModel):
    """Pearson's divergence times the growth of information (Amati, ECIR 2006).

    p = tf / dl, q = (tf + 1) / (dl + 1)
    w tf (1 - p)^2 / (tf + 1)
    ((tf + 1) log(q C / cf) - tf log(p C / cf) + 0.5 log(q / p))
    """

    def _score(self, tf: Array, dl: Array, s: Statistics, w: float) -> Array:
        p, q = _one_more(tf, dl)
        common = s.cf / s.C
        pearson = (1 - p) ** 2 / (tf + 1)
        growth = (tf + 1) * log(q / common) - tf * log(p / common) + 0.5 * log(q / p)
        return w * tf * pearson * growth


@model("dfic", terrier="DFIC")
class DFIC(WeightingModel):
    """Divergence from independence by chi-square (Kocabaş et al., Information Retrieval 2014).

    e = cf dl / C
    w log((tf - e)^2 / e + 1) if tf > e, else 0
    """

    def _score(self, tf: Array, dl: Array, s: Statistics, w: float) -> Array:
        e = s.cf * dl / s.C
        return where(tf > e, w * log((tf - e) ** 2 / e + 1), 0.0)


@model("dfiz", terrier="DFIZ")
class DFIZ(WeightingModel):
    """Divergence from independence, standardised (Kocabaş et al., Information Retrieval 2014).

    e = cf dl / C
    w log((tf - e) / sqrt(e) + 1) if tf > e, else 0
    """

    def _score(self, tf: Array, dl: Array, s: Statistics, w: float) -> Array:
        e = s.cf * dl / s.C
        return where(tf > e, w * log((tf - e) / sqrt(e) + 1), 0.0)


def _relative(tf: Array, dl: Array) -> Array:
    return where(tf < dl, tf / dl, 0.99999)


def _one_more(tf: Array, dl: Array) -> tuple[Array, Array]:
    return tf / dl, (tf + 1) / (dl + 1)
