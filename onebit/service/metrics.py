"""Numbers for Prometheus: plain counters, turned into its format when they are asked for."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from typing import Any

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)

from onebit.service.service import Service

_BOUNDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0]
_TYPE = b"text/plain; version=0.0.4; charset=utf-8"


class Metrics:
    """Counts answers, and reads the rest from the service."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._answers: Counter[tuple[str, int]] = Counter()
        self._seconds: dict[str, list[float]] = {}
        self._registry = CollectorRegistry()
        self._registry.register(self)

    def count(self, path: str, status: int, seconds: float) -> None:
        """Count an answer."""
        self._answers[path, status] += 1
        found = self._seconds.get(path)
        if found is None:
            found = self._seconds[path] = [0.0] * (len(_BOUNDS) + 2)
        found[bisect_left(_BOUNDS, seconds)] += 1
        found[-1] += seconds

    def page(self) -> tuple[bytes, bytes]:
        """Return the type and the content of the page."""
        return _TYPE, generate_latest(self._registry)

    def collect(self) -> Iterator[Metric]:
        """Yield all numbers; called by Prometheus' client."""
        answers = CounterMetricFamily("onebit_requests", "Answers.", labels=["path", "status"])
        for (path, status), count in self._answers.items():
            answers.add_metric([path, str(status)], count)
        yield answers
        times = HistogramMetricFamily(
            "onebit_request_seconds", "From request to answer.", labels=["path"]
        )
        for path, found in self._seconds.items():
            total, buckets = 0.0, []
            for bound, number in zip([*map(str, _BOUNDS), "+Inf"], found, strict=False):
                total += number
                buckets.append((bound, total))
            times.add_metric([path], buckets, found[-1])
        yield times
        if self._service.ready:
            yield from self._of_the_service()

    def _of_the_service(self) -> Iterator[Metric]:
        sequencer = self._service.sequencer
        yield CounterMetricFamily("onebit_commits", "Commits.", value=sequencer.commits)
        yield CounterMetricFamily(
            "onebit_commit_seconds", "Time in commits.", value=sequencer.commit_seconds
        )
        yield GaugeMetricFamily("onebit_log_seq", "Events in the log.", value=sequencer.head.seq)
        yield GaugeMetricFamily("onebit_waiting", "Events that wait.", value=sequencer.waiting)
        yield GaugeMetricFamily(
            "onebit_read_only", "1 while the disk is full.", value=sequencer.read_only
        )
        names = ("decisions", "right", "wrong", "expired", "learned", "open")
        for name in names:
            kind: Any = GaugeMetricFamily
            found = kind(f"onebit_agent_{name}", f"{name} of an agent.", labels=["agent"])
            for agent, hosted in self._service.agents.items():
                found.add_metric([agent], getattr(hosted.fold.counts, name))
            yield found
