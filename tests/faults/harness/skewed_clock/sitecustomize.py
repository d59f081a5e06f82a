"""Loaded before everything else in a worker whose wall clock is wrong by HEDDLE_TEST_CLOCK_OFF_S.

The monotonic clock stays as it is, as on a machine whose clock somebody set wrong.
"""

import ctypes
import datetime
import gc
import os
import sys
import time
from typing import Any

_OFF_S = float(os.environ.get("HEDDLE_TEST_CLOCK_OFF_S", "0"))
_OFF = datetime.timedelta(seconds=_OFF_S)
_real_time, _real_time_ns = time.time, time.time_ns
_real_now, _real_utcnow = datetime.datetime.now, datetime.datetime.utcnow


def _now(_cls: type, tz: datetime.tzinfo | None = None) -> datetime.datetime:
    return _real_now(tz) + _OFF


def _utcnow(_cls: type) -> datetime.datetime:
    return _real_utcnow() + _OFF


def _replace(kind: type, **methods: Any) -> None:
    """Change methods of a class that is written in C; a subclass would not be what others know."""
    names = gc.get_referents(kind.__dict__)[0]
    for name, method in methods.items():
        names[name] = classmethod(method)
    ctypes.pythonapi.PyType_Modified(ctypes.py_object(kind))


time.time = lambda: _real_time() + _OFF_S
time.time_ns = lambda: _real_time_ns() + int(_OFF_S * 1e9)
_replace(datetime.datetime, now=_now, utcnow=_utcnow)

if _OFF_S:
    off = (datetime.datetime.now(datetime.UTC) - _real_now(datetime.UTC)).total_seconds()
    sys.stderr.write(f"the clock of this process is off by {off:.0f} s\n")
