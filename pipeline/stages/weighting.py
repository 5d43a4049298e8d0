"""What the stages share that are made of a weighting model, or of a kind of feedback."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from pydantic import create_model

from pipeline.index.models import WeightingModel
from pipeline.index.models.base import Settings
from pipeline.index.models.fields import FieldModel
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
        """What the model and the fields of the index have against each other."""
        found = super().problems(indexes, before)
        model = self.model()
        if not isinstance(model, FieldModel):
            return found
        fields = list(chosen(indexes, self.index).fields)
        if len(fields) < 2:
            what = (
                f"{self.name} weighs the fields of an index apart, and there is {fields[0]} only; "
                "give the index several, as in fields: {text: [premises], title: [title]}"
            )
            return [*found, ("", what)]
        for name, given in model.per_field().items():
            unknown = [field for field in given if field not in fields]
            found += [
                (name, f"no field {field!r}; there is {', '.join(fields)}") for field in unknown
            ]
        return found


def one_for_each(kinds: Mapping[str, type[Settings]], base: type[Stage], module: str) -> None:
    """Registers a stage for every kind of model or feedback, with the parameters of both."""
    for name, kind in kinds.items():
        stage: Any = create_model(
            kind.__name__, __base__=(base, kind), __doc__=kind.__doc__, __module__=module
        )
        stage.kind = kind
        register(name)(stage)


def taken(stage: Stage, kind: type[K]) -> K:
    """The model or feedback of this kind, with the parameters of a stage made for it."""
    return kind(**{name: getattr(stage, name) for name in kind.model_fields})
