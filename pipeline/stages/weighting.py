"""What the stages share that score by a weighting model, in retrieval and in reranking."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from pydantic import create_model

from pipeline.index.models import MODELS, WeightingModel
from pipeline.index.models.fields import FieldModel
from pipeline.stages.base import OnIndex, Stage, register

if TYPE_CHECKING:
    from pipeline.index.settings import IndexSettings


class ByModel(Stage, OnIndex):
    """A stage that scores by a weighting model. A subclass has the parameters of the model."""

    kind: ClassVar[type[WeightingModel]]

    def model(self) -> WeightingModel:
        """The weighting model, with the parameters of the stage."""
        return self.kind(**{name: getattr(self, name) for name in self.kind.model_fields})

    def problems(
        self, indexes: Mapping[str, IndexSettings], before: Sequence[Stage]
    ) -> list[tuple[str, str]]:
        """What the model and the fields of the index have against each other."""
        found = super().problems(indexes, before)
        model = self.model()
        if not isinstance(model, FieldModel):
            return found
        fields = list((indexes[self.index] if self.index else next(iter(indexes.values()))).fields)
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


def one_for_each_model(base: type[ByModel], module: str) -> None:
    """Registers a stage for every weighting model, with the parameters of both."""
    for name, kind in MODELS.items():
        stage: Any = create_model(
            kind.__name__, __base__=(base, kind), __doc__=kind.__doc__, __module__=module
        )
        stage.kind = kind
        register(name)(stage)
