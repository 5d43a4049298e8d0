"""What a stage is, the registry by which configs name stages, and the base of each verb.

The bases of rerankers and orders do more: ``rerank/base.py``, ``order/base.py``.

A pipeline carries a pandas frame from stage to stage, in PyTerrier's data model. First queries:
``[qid, query, title, description, narrative]``, a row per topic, in the order of the topics. Then
a ranking: ``[qid, query, docno, score, rank]``, a row per topic and document; ``rank`` 0 is best
and decides the order. ``qid`` and ``docno`` are text. Frames are never changed in place.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, TypeVar

from pydantic import BaseModel, ConfigDict, Field, PositiveInt

from pipeline.index.models.base import NotNegative

if TYPE_CHECKING:
    import pandas as pd
    import pyterrier as pt

    from pipeline.index.base import Index
    from pipeline.index.settings import IndexSettings

QUERIES, RANKING, ANYTHING = "queries", "a ranking", "anything"
"""What a pipeline holds between two stages."""

VERBS = ("rewrite", "retrieve", "expand", "rerank", "order", "fuse")


CarryOut = Callable[[str, "pt.Transformer", "pd.DataFrame"], "pd.DataFrame"]
"""How a step is carried out: from its place, its transformer and the frame before it to the frame
after it, which is the transformer's."""


def plainly(_place: str, transformer: pt.Transformer, frame: pd.DataFrame) -> pd.DataFrame:
    """Carries out a step, and nothing else."""
    after: pd.DataFrame = transformer.transform(frame)
    return after


@dataclass(frozen=True)
class Context:
    """What the pipeline lends a stage while it is built."""

    indexes: Mapping[str, Index]
    """Every index of the config by its name; ``""`` is the one of a config with one index."""
    retriever: pt.Transformer | None = None
    """The nearest retriever before the stage, in its own list."""
    place: str = "stages[0]"
    """Where the stage stands in the config, as in ``stages[2].branches[0].stages[1]``."""
    carry_out: CarryOut = plainly
    """How each step is carried out: who times steps, or shares what is equal, gives his own. A
    stage may be made of steps; these have places of their own, as in ``stages[1].scores``."""

    def index(self, name: str = "") -> Index:
        """The index of that name; without one, the only or the first."""
        return chosen(self.indexes, name)


T = TypeVar("T")


def chosen(indexes: Mapping[str, T], name: str) -> T:
    """That of the index of this name; without one, of the only or the first."""
    return indexes[name] if name else next(iter(indexes.values()))


class Stage(BaseModel, ABC):
    """One step of a pipeline. Its fields are its parameters in YAML; ``build`` makes it run."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, use_attribute_docstrings=True, allow_inf_nan=False
    )

    verb: ClassVar[str]
    name: ClassVar[str]
    takes: ClassVar[str] = RANKING
    gives: ClassVar[str] = RANKING

    @abstractmethod
    def build(self, context: Context) -> pt.Transformer:
        """The transformer that carries out this stage."""

    def problems(
        self, indexes: Mapping[str, IndexSettings], before: Sequence[Stage]
    ) -> list[tuple[str, str]]:
        """What is wrong with this stage in its place: ``(parameter or "", what)`` each.

        Args:
            indexes: the settings of every index of the config, by name.
            before: the stages before it in its list.
        """
        return []


class OnIndex(BaseModel):
    """The parameter of a stage that asks an index."""

    model_config = ConfigDict(use_attribute_docstrings=True)

    index: str = ""
    """Which of the config's indexes it asks; not needed where there is one."""


class Retriever(Stage, OnIndex):
    """Finds documents for each query."""

    verb = "retrieve"
    takes = QUERIES

    num_results: PositiveInt = 1000
    """Documents returned per topic, at most."""


class Rewriter(Stage):
    """Gives each topic another query text."""

    verb = "rewrite"
    takes = QUERIES
    gives = QUERIES


class Expander(Stage, OnIndex):
    """Adds terms of the top documents to each query, then retrieves again."""

    verb = "expand"


class Branch(BaseModel):
    """One of the rankings that are fused: the stages that make it, from what comes in."""

    model_config = ConfigDict(
        extra="forbid", frozen=True, use_attribute_docstrings=True, allow_inf_nan=False
    )

    weight: NotNegative = 1.0
    """How much this ranking counts against the others."""
    stages: tuple[Any, ...] = ()
    """Stages run on what comes into the fusion; none: the ranking as it came."""


class Fusion(Stage):
    """Makes one ranking of several."""

    verb = "fuse"
    takes = ANYTHING

    branches: Annotated[tuple[Branch, ...], Field(min_length=1)]
    """The rankings to fuse, each with its weight and its stages."""


REGISTRY: dict[str, dict[str, type[Stage]]] = {verb: {} for verb in VERBS}

S = TypeVar("S", bound=type[Stage])


def register(name: str) -> Callable[[S], S]:
    """Makes a stage known to configs as ``<verb>: <name>``.

    Raises:
        ValueError: another stage of the verb has the name.
    """

    def add(stage: S) -> S:
        known = REGISTRY[stage.verb].setdefault(name, stage)
        if known is not stage:
            raise ValueError(
                f"{stage.verb}: {name} is already {known.__module__}.{known.__qualname__}"
            )
        stage.name = name
        return stage

    return add
