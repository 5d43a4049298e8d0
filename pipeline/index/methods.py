"""Weighting models and feedback as methods of an index, for notebooks: ``index.bm25(k1=0.9)``."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import ValidationError

from pipeline.errors import InputError, meant
from pipeline.index.apart import Apart
from pipeline.index.models import FEEDBACK, MODELS, SDM, Feedback, Pairs
from pipeline.index.models.base import PerField, Settings, WeightingModel
from pipeline.index.models.fields import FieldModel
from pipeline.index.models.proximity import ProximityModel

if TYPE_CHECKING:
    import pyterrier as pt

    from pipeline.index.base import Index
    from pipeline.index.settings import IndexSettings

NUM_RESULTS = 1000
"""Documents a query, where no number is given."""

_OF_RETRIEVERS: dict[str, tuple[Any, str]] = {
    "num_results": (NUM_RESULTS, "Documents for each query, at most; a ranking keeps its own."),
}
"""What every weighting model takes: its default, and what it means."""

_APART: dict[str, tuple[Any, str]] = {
    "fields": (
        None,
        "Fields searched, each as an index of its own: a list, or with weights.",
    ),
    "required": ((), "Fields in which a document must hold a term of the query."),
}
"""What those take, too, that do not weigh fields themselves."""

WEIGHTING: dict[str, type[WeightingModel]] = {**MODELS, "sdm": SDM, "proximity": Pairs}
"""What is a method, by its name, and scores."""

K = TypeVar("K", bound=Settings)


class Methods:
    """Has a method for every weighting model and every kind of feedback.

    A model gives a transformer that finds documents for queries, and scores those of a ranking
    anew; feedback one that expands the queries of a ranking, to be searched again::

        index.bm25(k1=0.9) >> index.rm3(fb_docs=10) >> index.bm25(k1=0.9)
        index.bm25() % 100 >> index.dph()
    """

    if not TYPE_CHECKING:  # the names are wrong where this is asked

        def __getattr__(self, name: str) -> Any:
            known = [*WEIGHTING, *FEEDBACK]
            raise AttributeError(
                f"{type(self).__name__} has no {name!r}{meant(name, known)}", name=name, obj=self
            )


def _settings(name: str, kind: type[K], given: dict[str, Any]) -> K:
    """The model or feedback with these parameters.

    Raises:
        InputError: there is no such parameter, or a value is not allowed.
    """
    unknown = [parameter for parameter in given if parameter not in kind.model_fields]
    if unknown:
        known = [*kind.model_fields, *_more(kind)]
        raise InputError(
            f"{name} has no {unknown[0]!r}{meant(unknown[0], known)}; it has {', '.join(known)}"
        )
    try:
        return kind(**given)
    except ValidationError as error:
        wrong = [
            f"{name}: {'.'.join(map(str, fault['loc']))}: {fault['input']!r}: {fault['msg']}"
            for fault in error.errors(include_url=False)
        ]
        raise InputError(*wrong) from None


def _more(kind: type[Settings]) -> dict[str, tuple[Any, str]]:
    """What a method takes beside the parameters of its kind: the default, and what it means."""
    if not issubclass(kind, WeightingModel):
        return {}
    whole = kind.needs_fields or issubclass(kind, ProximityModel)
    return _OF_RETRIEVERS if whole else {**_OF_RETRIEVERS, **_APART}


def _retriever(name: str, kind: type[WeightingModel]) -> Callable[..., pt.Transformer]:
    def method(self: Index, *, num_results: int = NUM_RESULTS, **given: Any) -> pt.Transformer:
        from pipeline.index.scoring import Scoring

        taken = {part: given.pop(part, None) for part in _APART if part in _more(kind)}
        model = _settings(name, kind, given)
        apart = _apart(**taken)
        if num_results < 1:
            raise InputError(f"{name}: num_results: {num_results} must be at least 1")
        if wrong := _unfit(model, apart, self.settings):
            raise InputError(f"{name} {wrong}")
        return Scoring(self, model, num_results, apart)

    return method


def _apart(
    fields: Mapping[str, float] | Sequence[str] | None = None,
    required: Sequence[str] | None = None,
) -> Apart | None:
    weights = fields if isinstance(fields, Mapping) else dict.fromkeys(fields or (), 1.0)
    needed = (required,) if isinstance(required, str) else tuple(required or ())
    return Apart(PerField(weights), needed) if weights or needed else None


def _unfit(model: WeightingModel, apart: Apart | None, settings: IndexSettings) -> str:
    """Why an index cannot be searched so; nothing if it can."""
    engine, known = settings.engine, list(settings.fields)
    if engine not in model.engines:
        return f"is searched by engine {' or '.join(model.engines)}, and this index by {engine}"
    if model.needs_fields and len(known) < 2:
        return f"weighs the fields of an index apart, and there is {known[0]!r} only"
    named = [*apart.weights, *apart.required] if apart else []
    if isinstance(model, FieldModel):
        named = [field for given in model.per_field().values() for field in given]
    if apart and engine != "arrays":
        return f"searches fields apart by engine arrays, and this index by {engine}"
    unknown = [field for field in named if field not in known]
    if unknown:
        what = f"names no field {unknown[0]!r}{meant(unknown[0], known)}"
        return f"{what}; there is {', '.join(known)}"
    if apart and (left_out := set(apart.required) - set(apart.weights_of(known))):
        return f"requires {left_out.pop()!r}, a field that is not searched"
    return ""


def _expander(name: str, kind: type[Feedback]) -> Callable[..., pt.Transformer]:
    def method(self: Index, **given: Any) -> pt.Transformer:
        return self.expander(_settings(name, kind, given))

    return method


def _documented(method: Callable[..., Any], name: str, kind: type[Settings]) -> Callable[..., Any]:
    """The method with the name, the parameters and the documentation of its kind."""
    fields: dict[str, tuple[Any, str | None]] = {
        parameter: (field.default, field.description)
        for parameter, field in kind.model_fields.items()
    }
    fields |= _more(kind)
    wanted = [
        inspect.Parameter(parameter, inspect.Parameter.KEYWORD_ONLY, default=default)
        for parameter, (default, _) in fields.items()
    ]
    itself = inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)
    method.__name__, method.__qualname__ = name, f"Index.{name}"
    method.__signature__ = inspect.Signature([itself, *wanted])  # type: ignore[attr-defined]
    lines = [
        f"    {parameter}: {' '.join((text or '').split())}"
        for parameter, (_, text) in fields.items()
    ]
    method.__doc__ = "\n".join([inspect.getdoc(kind) or "", "", "Args:", *lines])
    return method


for _name, _kind in WEIGHTING.items():
    setattr(Methods, _name, _documented(_retriever(_name, _kind), _name, _kind))
for _name, _of in FEEDBACK.items():
    setattr(Methods, _name, _documented(_expander(_name, _of), _name, _of))
