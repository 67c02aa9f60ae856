"""Labels that come and go: added, retired and restored while an agent is in use."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

from onebit import learners
from onebit.agent.base import AgentBase
from onebit.agent.core import Core
from onebit.agent.labels import Labels
from onebit.errors import BadLabel


class LabelChanges(AgentBase):
    """The methods of an agent that change its labels."""

    @property
    def labels(self) -> tuple[Any, ...]:
        """All labels in the order in which they were added, retired ones too."""
        return self._labels.names

    @property
    def active_labels(self) -> tuple[Any, ...]:
        """The labels that may be played."""
        return self._labels.active_names

    def add_label(self, label: Hashable) -> None:
        """Add a label of which nothing is learned yet; the others keep their order.

        Parameters
        ----------
        label : hashable
            The new label.

        Raises
        ------
        BadLabel
            If it is there already, or the learner cannot take another label.

        Examples
        --------
        >>> agent = Agent("banditron", labels=["tea", "coffee"])
        >>> agent.add_label("milk")
        >>> agent.retire("tea")
        >>> agent.active_labels
        ('coffee', 'milk')
        >>> agent.restore("tea")
        """
        with self._lock:
            larger = self._labels.with_label(label)
            self._check_growth()
            core = self._core
            if core is not None:  # it may not fit into memory: then nothing has changed
                sizes = core.sizes._replace(labels=len(larger))
                if self.round == 0:
                    self._core = Core(self.recipe, sizes, self.seed)
                else:
                    self._core = core.grown(sizes._replace(begun=core.sizes.begun_labels))
                    self._begun = self._core.sizes.begun
            self._labels, self._preview = larger, None

    def retire(self, label: Hashable) -> None:
        """Stop playing a label, until `restore`; what was learned about it is kept.

        Parameters
        ----------
        label : hashable
            A label that is not retired, and not the only one left.

        Raises
        ------
        BadLabel
            If it is unknown, retired already, or the last one.
        """
        self._set_labels(lambda labels: labels.without(label))

    def restore(self, label: Hashable) -> None:
        """Play a retired label again.

        Parameters
        ----------
        label : hashable
            A retired label.

        Raises
        ------
        BadLabel
            If it is unknown, or not retired.
        """
        self._set_labels(lambda labels: labels.with_restored(label))

    def _check_growth(self) -> None:
        """Raise BadLabel if the learner cannot take another label."""
        traits = learners.traits(self.recipe.kind)
        if traits.labels is not None:
            raise BadLabel(f"{self._who}: it takes {traits.labels} labels, and no more.")
        if not traits.grows or self._adviser is not None:
            raise BadLabel(
                f"{self._who}: its class of hypotheses is made for {len(self._labels)} labels, and"
                " cannot take another one."
            )

    def _set_labels(self, change: Callable[[Labels], Labels]) -> None:
        with self._lock:
            self._labels = change(self._labels)
