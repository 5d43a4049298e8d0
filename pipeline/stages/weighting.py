"""What the stages share that are made of a weighting model, or of a kind of feedback."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from pydantic import create_model

from pipeline.errors import meant
from pipeline.index.apart import Apart
from pipeline.index.models import WeightingModel
from pipeline.index.models.base import PerField, Settings
from pipeline.index.models.fields import FieldModel, Weights
from pipeline.stages.base import OnIndex, Stage, chosen, register

if TYPE_CHECKING:
    from pipeline.index.settings import IndexSettings

K = TypeVar("K", bound=Settings)


class ByModel(Stage, OnIndex):
    """A stage that scores by a weighting model. A subclass has the parameters of the model."""

    kind: ClassVar[type[WeightingModel]]

    def model(self) -> WeightingModel:
        """The weighting model, with the parameters of the stage."""
        return taken(self, self.kind)

    def problems(
        self, indexes: Mapping[str, IndexSettings], before: Sequence[Stage]
    ) -> list[tuple[str, str]]:
        """What the model has against the index: its engine, or its fields."""
        found = super().problems(indexes, before)
        settings = chosen(indexes, self.index)
        if settings.engine not in self.kind.engines:
            engines = " or ".join(self.kind.engines)
            what = f"engine {settings.engine} has no {self.name}; give the index engine: {engines}"
            found.append(("", what))
        return found + _against_fields(self.model(), list(settings.fields))


class Weighting(ByModel):
    """A stage by a model that sees all fields as one text, or each of them apart."""

    fields: Weights = PerField()
    """Fields searched apart, each scored as an index of its own and by its weight here, and added
    up; none: all as one text (by Lucene's models: all apart). Engine arrays."""
    required: tuple[str, ...] = ()
    """Fields, of those searched apart, in which a document must hold a term of the query; none: one
    anywhere will do. Engine arrays."""

    def apart(self) -> Apart | None:
        """How fields are searched apart; None if the stage says nothing of it."""
        given = self.fields or self.required
        return Apart(PerField(self.fields), self.required) if given else None

    def problems(
        self, indexes: Mapping[str, IndexSettings], before: Sequence[Stage]
    ) -> list[tuple[str, str]]:
        """What speaks against searching fields apart, beside all else."""
        found = super().problems(indexes, before)
        settings = chosen(indexes, self.index)
        given = [name for name in ("fields", "required") if getattr(self, name)]
        for name in given:
            if self.kind.needs_fields:
                found.append((name, f"{self.name} weighs fields by parameters of its own"))
            elif settings.engine != "arrays":
                what = "searches all fields as one text; give the index engine: arrays"
                found.append((name, f"engine {settings.engine} {what}"))
            else:
                known = list(settings.fields)
                asked = [field for field in getattr(self, name) if field not in known]
                found += [(name, _unknown(field, known)) for field in asked]
        if self.fields:
            there = ", ".join(self.fields)
            apart = [field for field in self.required if field in settings.fields]
            found += [
                ("required", f"{field!r} is not searched; fields: has {there}")
                for field in apart
                if field not in self.fields
            ]
        return found


def one_for_each(kinds: Mapping[str, type[Settings]], base: type[Stage], module: str) -> None:
    """Registers a stage for every kind of model or feedback, with the parameters of both."""
    for name, kind in kinds.items():
        stage: Any = create_model(
            kind.__name__,
            __base__=(base, kind),
            __doc__=kind.__doc__,
            __module__=module,
            __cls_kwargs__={"use_attribute_docstrings": False},  # its bases have them already
        )
        stage.kind = kind
        register(name)(stage)


def taken(stage: Stage, kind: type[K]) -> K:
    """The model or feedback of this kind, with the parameters of a stage made for it."""
    return kind(**{name: getattr(stage, name) for name in kind.model_fields})


def _against_fields(model: WeightingModel, fields: list[str]) -> list[tuple[str, str]]:
    """What a model that weighs fields apart has against those of an index."""
    if not isinstance(model, FieldModel):
        return []
    if len(fields) < 2:
        what = (
            f"{model.name} weighs the fields of an index apart, and there is {fields[0]} only; "
            "give the index several, as in fields: {text: [premises], title: [title]}"
        )
        return [("", what)]
    return [
        (name, _unknown(field, fields))
        for name, given in model.per_field().items()
        for field in given
        if field not in fields
    ]


def _unknown(field: str, fields: list[str]) -> str:
    return f"no field {field!r}{meant(field, fields)}; there is {', '.join(fields)}"
