"""Weighting models, each one frozen class: its parameters, ranges, formula and source.

The formulas say what one query term adds to a document's score:

    tf     how often the document holds the term
    dl     words of the document; avgdl, their mean over the collection
    df     documents that hold the term; cf, how often they hold it
    N      documents of the collection; C, its words
    w      the term's weight in the query, divided by the largest weight of the query
    log    to the base of 2, as everywhere in Terrier
"""

from pipeline.index.models.base import FEEDBACK, MODELS, Feedback, Statistics, WeightingModel
from pipeline.index.models.counts import CoordinateMatch, Dl, Null, Tf
from pipeline.index.models.divergence import (
    BB2,
    DFRBM25,
    IFB2,
    LGD,
    PL2,
    InB2,
    InExpB2,
    InExpC2,
    InL2,
)
from pipeline.index.models.feedback import KL, RM3, Bo1
from pipeline.index.models.fields import BM25F, MDL2, ML2, PL2F
from pipeline.index.models.free import (
    DFIC,
    DFIZ,
    DLH,
    DLH13,
    DPH,
    DFRee,
    DFReeKLIM,
    JsKLs,
    XSqrAM,
)
from pipeline.index.models.language import DirichletLM, HiemstraLM
from pipeline.index.models.lucene import (
    LuceneBM25,
    LuceneDFI,
    LuceneLMDirichlet,
    LuceneModel,
    LuceneTFIDF,
)
from pipeline.index.models.okapi import BM25, TFIDF, LemurTFIDF
from pipeline.index.models.proximity import SDM, Pairs

__all__ = [
    "BB2",
    "BM25",
    "BM25F",
    "DFIC",
    "DFIZ",
    "DFRBM25",
    "DLH",
    "DLH13",
    "DPH",
    "FEEDBACK",
    "IFB2",
    "KL",
    "LGD",
    "MDL2",
    "ML2",
    "MODELS",
    "PL2",
    "PL2F",
    "RM3",
    "SDM",
    "TFIDF",
    "Bo1",
    "CoordinateMatch",
    "DFRee",
    "DFReeKLIM",
    "DirichletLM",
    "Dl",
    "Feedback",
    "HiemstraLM",
    "InB2",
    "InExpB2",
    "InExpC2",
    "InL2",
    "JsKLs",
    "LemurTFIDF",
    "LuceneBM25",
    "LuceneDFI",
    "LuceneLMDirichlet",
    "LuceneModel",
    "LuceneTFIDF",
    "Null",
    "Pairs",
    "Statistics",
    "Tf",
    "WeightingModel",
    "XSqrAM",
]
