"""The life of a daemon beside its work: troubles in the background, other settings."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Never

from tacit.daemon import hold
from tacit.daemon.pulse import health
from tacit.daemon.run import Daemon, Limits
from tacit.log import Log
from unit.daemon.test_run import begin, heavy, within

if TYPE_CHECKING:
    from rig import Home
    from unit.daemon.test_run import Begin

__all__ = ["begin"]  # a fixture


def test_the_trouble_of_the_background_is_told(root: int, begin: Begin) -> None:
    begin(heavy(trouble="There is no model."), red=0.4)

    assert within(15, lambda: health(root).embedder_trouble == "There is no model.")


def test_other_settings_begin_anew_in_the_same_process(home: Home, begin: Begin) -> None:
    daemon = begin("", red=0.4)
    daemon.until_told("started")
    pid = daemon.process.pid

    (home.path / "config.toml").write_text("[backup]\nkeep = 3\n", encoding="utf-8")

    assert within(15, lambda: [each["event"] for each in daemon.told].count("started") > 1)
    assert "other settings" in [each.get("why") for each in daemon.told]
    assert (daemon.process.pid, daemon.process.poll()) == (pid, None)


def test_of_many_that_begin_at_once_only_one_loads_anything(home: Home, root: int) -> None:
    prepared: list[str] = []
    lock = hold.take(root)

    def prepare() -> Never:
        prepared.append("much")
        raise AssertionError

    code = Daemon(root, Log(home.path / "daemon.log", time.time_ns), Limits()).run(prepare)

    assert lock is not None
    os.close(lock)
    assert (code, prepared) == (0, [])
