"""How much a piece of user text may take: time, memory, depth, output."""

from dataclasses import dataclass, replace
from typing import Self

from pydantic_monty import OSPolicy, ResourceLimits

_MIB = 1024 * 1024

#: The sandbox has no clock to wait on: sleeping returns at once.
OS_POLICY = OSPolicy(sleep="zero")


@dataclass(frozen=True, kw_only=True)
class Limits:
    """The bounds of one evaluation."""

    seconds: float
    memory_bytes: int
    recursion: int
    output_bytes: int

    def for_monty(self) -> ResourceLimits:
        """Write the limits as the interpreter takes them."""
        return ResourceLimits(
            max_feed_duration_secs=self.seconds,
            max_memory=self.memory_bytes,
            max_recursion_depth=self.recursion,
            max_suspensions=100,
        )

    def deeper(self, calls: int) -> Self:
        """Leave room for calls of our own above those of the author."""
        return replace(self, recursion=self.recursion + calls)


EXPRESSION_LIMITS = Limits(
    seconds=1.0, memory_bytes=64 * _MIB, recursion=200, output_bytes=4 * _MIB
)
CODE_LIMITS = Limits(seconds=10.0, memory_bytes=256 * _MIB, recursion=500, output_bytes=16 * _MIB)
