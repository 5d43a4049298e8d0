"""Models without a parameter: divergence from randomness, and from independence."""

from pipeline.index.models.base import WeightingModel, model


@model("dph", terrier="DPH")
class DPH(WeightingModel):
    """Hypergeometric model, Popper's normalisation (Amati et al., TREC 2007).

    f = tf / dl, 0.99999 if that is 1
    w (1 - f)^2 / (tf + 1) (tf log(tf avgdl / dl N / cf) + 0.5 log(2 pi tf (1 - f)))
    """


@model("dlh", terrier="DLH")
class DLH(WeightingModel):
    """Hypergeometric model, Laplace's law of succession (Amati, ECIR 2006).

    f = tf / dl, 0.99999 if that is 1
    w / (tf + 0.5) (tf log(tf avgdl / dl N / cf) + (dl - tf) log(1 - f)
                    + 0.5 log(2 pi tf (1 - f)))
    """


@model("dlh13", terrier="DLH13")
class DLH13(WeightingModel):
    """DLH without its middle part (Macdonald et al., TREC 2005).

    f = tf / dl, 0.99999 if that is 1
    w / (tf + 0.5) (tf log(tf avgdl / dl N / cf) + 0.5 log(2 pi tf (1 - f)))
    """


@model("dfree", terrier="DFRee")
class DFRee(WeightingModel):
    """Mean of two divergences made by one more occurrence (Amati, in Terrier, 2009).

    p = tf / dl, q = (tf + 1) / (dl + 1)
    w tf log(q / p) (-tf log(p C / cf) + (tf + 1) log(q C / cf) + 0.5 log(q / p))
    """


@model("dfree_klim", terrier="DFReeKLIM")
class DFReeKLIM(WeightingModel):
    """Product of two divergences made by one more occurrence (Amati et al., TREC 2011).

    p = tf / dl, q = (tf + 1) / (dl + 1)
    w tf log(q / p) log(p C / cf)
    """


@model("js_kls", terrier="Js_KLs")
class JsKLs(WeightingModel):
    """Jeffreys' divergence times Kullback and Leibler's (Amati, ECIR 2006).

    p = tf / dl, q = (tf + 1) / (dl + 1)
    w tf dl / (dl + 1) (1 - p) log((tf + 1) / tf) (log(q C / cf) + tf log(1 + 1 / tf))
    """


@model("xsqra_m", terrier="XSqrA_M")
class XSqrAM(WeightingModel):
    """Pearson's divergence times the growth of information (Amati, ECIR 2006).

    p = tf / dl, q = (tf + 1) / (dl + 1)
    w tf (1 - p)^2 / (tf + 1)
    ((tf + 1) log(q C / cf) - tf log(p C / cf) + 0.5 log(q / p))
    """


@model("dfic", terrier="DFIC")
class DFIC(WeightingModel):
    """Divergence from independence by chi-square (Kocabaş et al., Information Retrieval 2014).

    e = cf dl / C
    w log((tf - e)^2 / e + 1) if tf > e, else 0
    """


@model("dfiz", terrier="DFIZ")
class DFIZ(WeightingModel):
    """Divergence from independence, standardised (Kocabaş et al., Information Retrieval 2014).

    e = cf dl / C
    w log((tf - e) / sqrt(e) + 1) if tf > e, else 0
    """
