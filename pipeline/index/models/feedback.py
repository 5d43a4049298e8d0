"""Feedback: terms of the top documents for a query, taken to be relevant unseen."""

from pipeline.index.models.base import Feedback, Share, feedback


@feedback("rm3", terrier="RM3")
class RM3(Feedback):
    """Terms likely under the top documents, mixed with the query (Abdul-Jaleel et al., TREC 2004).

    r(t) = sum over documents of tf / dl exp(score), for 2 <= df < N / 10
    fb_lambda w / sum w + (1 - fb_lambda) r / sum r

    Over the fb_terms largest r and the query's terms. A score counts as the logarithm of a
    likelihood: where scores are far apart, the top document alone decides.
    """

    fb_lambda: Share = 0.6
    """Share of the original query in the new one."""


@feedback("bo1", terrier="Bo1QueryExpansion")
class Bo1(Feedback):
    """Terms more frequent than Bose-Einstein statistics expect (Amati, thesis, Glasgow 2003).

    f = cf / N, x = tf in all the documents together, in 2 of them at least
    w + (x log((1 + f) / f) + log(1 + f)) / (the same with f = x / N, of the largest x)
    """


@feedback("kl", terrier="KLQueryExpansion")
class KL(Feedback):
    """Terms by Kullback and Leibler's divergence from the collection (Amati, thesis 2003).

    x = tf in all the documents together, in 2 of them at least; l = words of these documents
    w + x / l log(x / l C / cf) / (x / l log(C / l), of the largest x)
    """
