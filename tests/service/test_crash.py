"""kill -9 while clients call: nothing acknowledged is lost, nothing is learned twice."""

import asyncio

import pytest
from kills import kill_often


@pytest.mark.compiled
def test_kill_nine_loses_and_doubles_nothing(tmp_path):
    report = asyncio.run(kill_often(tmp_path / "served", kills=4, seconds=1.0))
    assert report.acknowledged > 100
    assert (report.lost, report.doubled, report.different_answers) == (0, 0, 0)
    assert report.digests_equal == 5  # after each kill, and at the end
    assert report.digests_compared > 0
    assert report.right[0] == report.right[1]  # the clients' count is the log's
    assert report.wrong[0] == report.wrong[1]
