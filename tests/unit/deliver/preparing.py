"""A bench on which briefs are prepared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from contract.memories import fact, put
from tacit.capture import state
from tacit.deliver.prepare import Limits, Preparer
from tacit.model.event import Place
from unit.curate.saying import NOON, PLACE

if TYPE_CHECKING:
    from rig import Home
    from unit.curate.saying import Desk

KEY = b"k" * 32
SHOP = PLACE.project
TILL = Place(directory="/srv/till", project="prj-till", root="/srv/till", name="till")


class Bench:
    """Prepares the briefs of a desk into a home."""

    def __init__(self, desk: Desk, home: Home, root: int) -> None:
        self.desk = desk
        self._home = home
        self._root = root
        self.limits = Limits()
        state.replace(root, "redaction.key", KEY)

    def preparer(self) -> Preparer:
        return Preparer(self._root, str(self._home.path), "main", KEY, self.limits)

    def __call__(self, until: float | None = None) -> int:
        return self.preparer().prepare(self.desk.store, self.desk.transcript, NOON, until)

    def know(self, name: str, content: str, **fields: Any) -> None:
        put(self.desk.store, fact(name, content=content, **{"project": SHOP} | fields))

    def visit(self, *places: Place) -> None:
        for place in places:
            self.desk.append("prompt", {"prompt": "Hi"}, project=place.project, place=place)

    def listed(self) -> dict[str, str]:
        """Return which file the hook is told for each directory."""
        lines = (self._home.path / "capture.conf").read_text(encoding="utf-8").splitlines()
        told = [line.split("\t")[1:] for line in lines if line.startswith("brief\t")]
        return {directory: file.rpartition("/")[2] for _, file, directory in told}
