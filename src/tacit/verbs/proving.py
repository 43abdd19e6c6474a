"""Verbs of a proof: a session that is played in a group of its own, and gone without trace."""

from __future__ import annotations

import shutil
import time
from contextlib import suppress
from pathlib import Path

from tacit import paths
from tacit.capture import compile as capture_conf
from tacit.capture.entry import parse
from tacit.errors import StoreBusy
from tacit.transcript import lock
from tacit.verbs.parts import Verbs

_PATIENCE = 5.0
_SETTLING = 0.3  # so long a program that was at it may still take to notice


class ProvingVerbs(Verbs):
    """What only a proof does."""

    def proving_ground(self) -> Path:
        """Return the directory whose sessions are a proof's, made for the occasion."""
        self.clear_proving_ground()
        ground = Path(self._home) / paths.PROVING
        ground.mkdir(mode=0o700)
        capture_conf.refresh(self._root, self._home)
        return ground

    def clear_proving_ground(self) -> None:
        """Remove all that a proof has made, also what an earlier one that was killed has left."""
        end = time.monotonic() + _PATIENCE
        while self._clear() and time.monotonic() < end:  # another program may have been at it
            time.sleep(_SETTLING)
        with suppress(FileNotFoundError):
            shutil.rmtree(Path(self._home) / paths.PROVING)
        capture_conf.refresh(self._root, self._home)

    def _clear(self) -> bool:
        """Remove what there is; say whether there was anything."""
        files = self._ledgers.files(paths.PROVING_GROUP)
        found = [each for each in (files.directory, files.backups, files.done) if each.exists()]
        with lock.held(Path(self._home), seconds=_PATIENCE) as is_held:
            if not is_held:
                raise StoreBusy("Another program is taking events in. Try again in a moment.")
            for name in self._spool.waiting():
                if parse(self._spool.read(name)).group == paths.PROVING_GROUP:
                    self._spool.remove(name)
            for each in found:
                gone = Path(self._home) / paths.PROVING / f".{each.parent.name}"
                gone.parent.mkdir(mode=0o700, exist_ok=True)
                each.rename(gone)  # at once, so that nobody finds half of it
                shutil.rmtree(gone)
            self.groups()
            capture_conf.set_briefs(self._root, self._home, paths.PROVING_GROUP, {})
        return bool(found)
