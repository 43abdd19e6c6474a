"""Verbs about the curated files: how they stand, edits by hand, deploying, and the boot text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tacit import policy
from tacit.deliver.curated import boot as boots
from tacit.deliver.curated import deployed, place, review
from tacit.deliver.curated.names import DEPLOYED, RENDERED, named
from tacit.errors import FileRefused, NotFound
from tacit.model.memory import content_of
from tacit.verbs.chosen import Which
from tacit.verbs.decisions import DecisionVerbs, Forgotten, Said

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tacit.deliver.curated.boot import Boot
    from tacit.deliver.curated.deployed import Deployed, Deployment
    from tacit.deliver.curated.desk import Desk
    from tacit.deliver.curated.edits import Edited, Step
    from tacit.deliver.curated.review import Reading
    from tacit.deliver.curated.selection import Selection
    from tacit.policy import Caller


class FilesVerbs(DecisionVerbs):
    """What agents read before their first word, and who may change it."""

    def edits(
        self, group: str, name: str | None = None, *, seen_by: Caller | None = None
    ) -> list[Edited]:
        """Return what was changed by hand in one file, or in all, and waits for the owner.

        Seen by the owner it can be accepted, as long as it is the same.
        """
        chosen = named(name) if name else None
        if seen_by is not None and seen_by.origin == "owner":
            return self._at_desk(group, lambda desk: review.show(desk, chosen)) or []
        found = self._at_desk(group, review.edited) or []
        return [each for each in found if chosen in {None, each.name}]

    def accept_edits(self, group: str, name: str, caller: Caller) -> Edited:
        """Let an edit count: lines become the owner's decisions, a deployed file is deployed.

        Exactly the edit that the owner saw last; what comes meanwhile stays in the file, and waits.
        """
        policy.check(caller, "accept")
        reading = self._reading(group, name, "accept")
        edit = reading.edit
        if edit.trouble:
            raise FileRefused(
                f"{edit.name} cannot be accepted: {edit.trouble}. Mend it, or use "
                f"`tacit files reject {edit.name}`."
            )
        if not self._at_desk(group, lambda desk: review.is_shown(desk, reading)):
            raise review.changed(edit.name)
        if edit.name in DEPLOYED:
            self._at_desk(group, lambda desk: review.adopt(desk, edit.name, reading))
            return edit
        for step in edit.steps:
            if step.text and step.verb != "pass":
                content_of(step.text)  # refused before anything is decided
        for step in edit.steps:
            self._take(group, step, caller)
        self._at_desk(group, lambda desk: review.settle(desk, edit.name, reading))
        self.prepare(group)
        return edit

    def reject_edits(self, group: str, name: str, caller: Caller) -> Edited:
        """Let a file say again what it said before it was edited."""
        policy.check(caller, "reject")
        reading = self._reading(group, name, "reject")
        edit, kept = reading.edit, None if reading.edit.trouble else reading
        self._at_desk(group, lambda desk: review.settle(desk, edit.name, kept))
        self.prepare(group)
        return edit

    def deploy(self, group: str, deployment: Deployment, caller: Caller) -> Deployed:
        """Write who the agent is and the rules of its system, for a group that may be new."""
        policy.check(caller, "deploy")
        with self._ledgers.locked(group, is_new=True):
            pass  # the group is there now
        found = self._at_desk(group, lambda desk: _deployed(desk, deployment))
        if found is None:
            raise NotFound(f"Group {group} could not be made. See `tacit status`.")
        return found

    def boot(self, group: str, project: str | None = None, *, tokens: int | None = None) -> Boot:
        """Return all that an agent is to know of a project, or of the whole group."""
        most = self._chosen().number("deliver.boot_tokens") if tokens is None else tokens
        keys = self.keys_of(group, project) if project else None
        found = self._at_desk(group, lambda desk: boots.boot(desk, keys, most))
        return found or boots.nothing(self._now_ns())

    def select(self, group: str, name: str, ids: Sequence[str]) -> Selection:
        """Let memories stand on a page in this order; refuse what loses more than a quarter."""
        page = named(name)
        found = None
        if page in RENDERED:
            found = self._at_desk(group, lambda desk: review.select(desk, page, ids))
        if found is None:
            raise NotFound(f"There is nothing to select for {page}. See `tacit files`.")
        self.prepare(group)
        return found

    def forget(
        self, group: str, which: Which, caller: Caller, *, erase: bool = False, dry: bool = False
    ) -> Forgotten:
        """Forget memories; what is erased goes from edits by hand that wait as well, before all."""
        if erase and not dry and self.edits(group):
            meant = super().forget(group, which, caller, erase=True, dry=True).memories
            words = {*(each.content for each in meant), *filter(None, (which.matching,))}
            ids = {each.id for each in meant}
            policy.check(caller, "forget")
            policy.check_erasing(caller, is_meant=True)
            self._at_desk(group, lambda desk: review.erase(desk, ids, words))
        return super().forget(group, which, caller, erase=erase, dry=dry)

    def is_workspace(self, group: str) -> bool:
        """Say whether a group lies in a directory of its own rather than in the home."""
        return self._ledgers.files(group).workspace is not None

    def _reading(self, group: str, name: str, verb: str) -> Reading:
        everything = self._at_desk(group, review.readings) or []
        found = [each for each in everything if each.edit.name == named(name)]
        if not found:
            raise NotFound(
                f"{named(name)} is as Tacit wrote it: there is nothing to {verb}. "
                "See `tacit files`."
            )
        return found[0]

    def _take(self, group: str, step: Step, caller: Caller) -> None:
        """Decide what one changed line means."""
        match step.verb:
            case "remember":
                said = Said(text=step.text, kind=step.kind, tags=step.tags)
                self.remember(group, said, caller)
            case "correct":
                self.correct(group, step.id, Said(text=step.text), caller)
            case "forget":
                self.forget(group, Which(ids=(step.id,)), caller)
            case "dismiss":
                self.dismiss(group, step.id, caller)
            case _:  # nothing that could be decided
                return


def _deployed(desk: Desk, deployment: Deployment) -> Deployed:
    with place.alone(desk.files) as folder:
        return deployed.deploy(folder, desk.marker, deployment)
