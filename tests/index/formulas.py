"""Every weighting model, written from the formula in its docstring; scores are natural doubles."""

# ruff: noqa: ARG001

import math

import numpy as np
from numpy import exp, log2, pi, sqrt, where

LOG_E = log2(math.e)


def tfn(tf, dl, s, c):
    return tf * log2(1 + c * s.avgdl / dl)


def relative(tf, dl):
    return where(tf < dl, tf / dl, 0.99999)


def bm25(tf, dl, s, w, k1=1.2, b=0.75, k3=8.0):
    k = k1 * ((1 - b) + b * dl / s.avgdl)
    idf = log2((s.N - s.df + 0.5) / (s.df + 0.5))
    return idf * (k1 + 1) * tf / (k + tf) * (k3 + 1) * w / (k3 + w)


def saturated(tf, dl, s, k1, b):
    return k1 * tf / (tf + k1 * ((1 - b) + b * dl / s.avgdl))


def tf_idf(tf, dl, s, w, k1=1.2, b=0.75):
    return w * saturated(tf, dl, s, k1, b) * log2(s.N / s.df + 1)


def lemur_tf_idf(tf, dl, s, w, k1=1.2, b=0.75):
    return w * saturated(tf, dl, s, k1, b) * log2(s.N / s.df) ** 2


def dirichlet_lm(tf, dl, s, w, mu=2500.0):
    return log2(1 + tf / (mu * s.cf / s.C)) + log2(mu / (dl + mu))


def hiemstra_lm(tf, dl, s, w, lam=0.15):
    return w * log2(1 + lam * tf * s.C / ((1 - lam) * s.cf * dl))


def poisson(t, s, w):
    f = s.cf / s.N
    with np.errstate(divide="ignore", invalid="ignore"):
        score = t * log2(1 / f) + f * LOG_E + 0.5 * log2(2 * pi * t) + t * (log2(t) - LOG_E)
    return w / (t + 1) * score


def pl2(tf, dl, s, w, c=1.0):
    return poisson(tfn(tf, dl, s, c), s, w)


def inl2(tf, dl, s, w, c=1.0):
    t = tfn(tf, dl, s, c)
    return w * t / (t + 1) * log2((s.N + 1) / (s.df + 0.5))


def bernoulli(t, s, w, expected):
    return w * t * (s.cf + 1) / (s.df * (t + 1)) * log2((s.N + 1) / (expected + 0.5))


def inb2(tf, dl, s, w, c=1.0):
    return bernoulli(tfn(tf, dl, s, c), s, w, s.df)


def in_exp_b2(tf, dl, s, w, c=1.0):
    return bernoulli(tfn(tf, dl, s, c), s, w, s.N * (1 - exp(-s.cf / s.N)))


def in_exp_c2(tf, dl, s, w, c=1.0):
    t = tf * np.log(1 + c * s.avgdl / dl)
    return bernoulli(t, s, w, s.N * (1 - exp(-s.cf / s.N)))


def ifb2(tf, dl, s, w, c=1.0):
    return bernoulli(tfn(tf, dl, s, c), s, w, s.cf)


def bb2(tf, dl, s, w, c=1.0):
    def power(n, m):
        return (m + 0.5) * log2(n / m) + (n - m) * log2(n)

    t = tfn(tf, dl, s, c)
    with np.errstate(invalid="ignore"):  # t > cf
        drawn = power(s.N + s.cf - 1, s.N + s.cf - t - 2) - power(s.cf, s.cf - t)
    return w * (s.cf + 1) / (s.df * (t + 1)) * (-log2(s.N - 1) - LOG_E + drawn)


def dfr_bm25(tf, dl, s, w, c=1.0):
    t = tfn(tf, dl, s, c)
    idf = log2((s.N - s.df + 0.5) / (s.df + 0.5))
    return 1001 * w / (1000 + w) * t / (t + 1.2) * idf


def lgd(tf, dl, s, w, c=1.0):
    return w * log2((s.df / s.N + tfn(tf, dl, s, c)) / (s.df / s.N))


def dph(tf, dl, s, w):
    f = relative(tf, dl)
    gain = tf * log2(tf * s.avgdl / dl * s.N / s.cf) + 0.5 * log2(2 * pi * tf * (1 - f))
    return w * (1 - f) ** 2 / (tf + 1) * gain


def dlh(tf, dl, s, w):
    f = relative(tf, dl)
    gain = tf * log2(tf * s.avgdl / dl * s.N / s.cf) + (dl - tf) * log2(1 - f)
    return w / (tf + 0.5) * (gain + 0.5 * log2(2 * pi * tf * (1 - f)))


def dlh13(tf, dl, s, w):
    f = relative(tf, dl)
    gain = tf * log2(tf * s.avgdl / dl * s.N / s.cf)
    return w / (tf + 0.5) * (gain + 0.5 * log2(2 * pi * tf * (1 - f)))


def one_more(tf, dl):
    return tf / dl, (tf + 1) / (dl + 1)


def dfree(tf, dl, s, w):
    p, q = one_more(tf, dl)
    gain = -tf * log2(p * s.C / s.cf) + (tf + 1) * log2(q * s.C / s.cf) + 0.5 * log2(q / p)
    return w * tf * log2(q / p) * gain


def dfree_klim(tf, dl, s, w):
    p, q = one_more(tf, dl)
    return w * tf * log2(q / p) * log2(p * s.C / s.cf)


def js_kls(tf, dl, s, w):
    p, q = one_more(tf, dl)
    jeffreys = dl / (dl + 1) * (1 - p) * log2((tf + 1) / tf)
    return w * tf * jeffreys * (log2(q * s.C / s.cf) + tf * log2(1 + 1 / tf))


def xsqra_m(tf, dl, s, w):
    p, q = one_more(tf, dl)
    gain = (tf + 1) * log2(q * s.C / s.cf) - tf * log2(p * s.C / s.cf) + 0.5 * log2(q / p)
    return w * tf * (1 - p) ** 2 / (tf + 1) * gain


def dfic(tf, dl, s, w):
    e = s.cf * dl / s.C
    return where(tf > e, w * log2((tf - e) ** 2 / e + 1), 0.0)


def dfiz(tf, dl, s, w):
    e = s.cf * dl / s.C
    return where(tf > e, w * log2(np.maximum(tf - e, 0) / sqrt(e) + 1), 0.0)


def tf(tf, dl, s, w):
    return w * tf


def dl(tf, dl, s, w):
    return dl


def coordinate_match(tf, dl, s, w):
    return np.full(len(tf), w)


def null(tf, dl, s, w):
    return np.zeros(len(tf))


def per_field(given, place):
    return given[place] if given else 1.0


def bm25f(tf, dl, s, w, weights=None, b=None):
    t = sum(
        per_field(weights, i)
        * tf[i]
        / ((1 - per_field(b, i)) + per_field(b, i) * dl[i] / s.favg[i])
        if per_field(b, i) < 1
        else per_field(weights, i)
        * np.divide(tf[i], dl[i] / s.favg[i], where=tf[i] > 0, out=0 * tf[i])
        for i in range(len(tf))
    )
    return log2((s.N - s.df + 0.5) / (s.df + 0.5)) * 2.2 * t / (1.2 + t) * 9 * w / (8 + w)


def fitted(tf, dl, s, c=None):
    """tfn_i of each field; 0 where the field does not hold the term, however long it is."""
    safe = where(tf > 0, dl, 1.0)
    return [tf[i] * log2(1 + per_field(c, i) * s.favg[i] / safe[i]) for i in range(len(tf))]


def pl2f(tf, dl, s, w, weights=None, c=None):
    parts = fitted(tf, dl, s, c)
    t = sum(per_field(weights, i) * part for i, part in enumerate(parts))
    return where(t > 0, poisson(t, s, w), 0.0)


gamma = np.vectorize(lambda x: math.lgamma(x) / math.log(2))


def ml2(tf, dl, s, w):
    parts, p = np.array(fitted(tf, dl, s)), 1 / (len(tf) * s.N)
    holds, total = (tf > 0), np.sum(fitted(tf, dl, s), axis=0)
    r = holds.sum(axis=0)
    score = (where(holds, gamma(parts + 1) - parts * log2(p), 0.0)).sum(axis=0) - gamma(s.cf + 1)
    score += gamma(s.cf - total + 1) - (s.cf - total) * log2(1 - r * p)
    return w / (total + 1) * score


def mdl2(tf, dl, s, w):
    k, r = len(tf), (tf > 0).sum(axis=0)
    return w * (r / 2 * log2(2 * pi * s.cf) - s.cf * log2(1 - (k - r) * r / s.N))


FIELD_MODELS = {"bm25f", "pl2f", "ml2", "mdl2"}
