"""flow.map: runs the nodes inside it for each item of a list."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Literal

from pydantic import Field

from backend.engine.items import Pages, items_of
from backend.engine.spec import KindSpec
from backend.nodes.base import Kind, OverItems
from backend.nodes.fields import Items, Settings, Static, widget


class Config(Settings):
    """What to go over, how many at once, and what becomes of items that fail."""

    over: Items = Field(
        title="Go over",
        description=(
            "A list, for example {{ nodes.search.output.body }}; a whole number n for 0 to n-1; "
            'or {"range": [start, stop, step]}.'
        ),
        json_schema_extra=widget("template", rows=2),
    )
    page_size: Annotated[Annotated[int, Field(ge=1)] | None, Static] = Field(
        default=None,
        title="Page size",
        description="Each item is a list of so many: for results too big to take one by one.",
        json_schema_extra=widget("number", fixed=True),
    )
    concurrency: Annotated[int, Static, Field(ge=1, le=1000)] = Field(
        default=100,
        title="At once",
        description="How many items are under way at the same time.",
        json_schema_extra=widget("number", fixed=True),
    )
    result: Any = Field(
        default=None,
        title="Result of an item",
        description=(
            "Computed once the nodes inside have ended, from their outputs, item and index; else "
            "the output of the last node inside, or of several last ones by their ids."
        ),
        json_schema_extra=widget("template", rows=2),
    )
    on_item_error: Annotated[Literal["fail", "collect", "drop"], Static] = Field(
        default="fail",
        title="When an item fails",
        description=(
            'fail: the map fails. collect: {"error": …} takes the place of the item\'s result. '
            "drop: the item is left out of the results."
        ),
        json_schema_extra=widget("select", fixed=True),
    )
    max_failures: Annotated[Annotated[int, Field(ge=0)] | None, Static] = Field(
        default=None,
        title="Failures allowed",
        description="More failed items than this fail the map all the same.",
        json_schema_extra=widget("number", fixed=True),
    )
    max_failure_percent: Annotated[Annotated[float, Field(ge=0, le=100)] | None, Static] = Field(
        default=None,
        title="Failures allowed, in percent",
        description="A larger share of failed items than this fails the map all the same.",
        json_schema_extra=widget("number", fixed=True),
    )

    @classmethod
    def check_written(cls, values: Mapping[str, Any]) -> Iterator[str]:
        """Refuse a threshold that would never count."""
        limits = [n for n in ("max_failures", "max_failure_percent") if values.get(n) is not None]
        if limits and values.get("on_item_error", "fail") == "fail":
            yield (
                "The first item that fails fails the map: set on_item_error to collect or drop, or "
                f"remove {' and '.join(limits)}."
            )


def evaluate(config: Config, _inputs: Mapping[str, Any]) -> OverItems:
    """Say what to go over."""
    items = items_of(config.over)
    return OverItems(Pages(items, config.page_size) if config.page_size else items)


KIND = Kind(
    spec=KindSpec(
        kind="flow.map",
        version=1,
        title="Map",
        summary="Runs what is inside it for each item of a list, many at once.",
        family="control",
        icon="map",
        config_model=Config,
        output="The list of the items' results, in the order of the items.",
        inline=True,
        container="map",
        deferred=("result",),
    ),
    evaluate=evaluate,
)
