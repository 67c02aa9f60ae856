"""Power cuts lose nothing that was acknowledged; with less syncing they do."""

from power_cut import cut


def test_nothing_that_was_acknowledged_is_lost():
    report = cut(300, "FULL")
    assert report.acknowledged > 300 * 20
    assert (report.lost, report.doubled, report.damaged) == (0, 0, 0)


def test_the_control_loses_some():
    assert cut(100, "NORMAL").lost > 50
