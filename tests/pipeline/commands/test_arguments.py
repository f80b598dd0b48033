"""How the command line reads numbers, times and pairs."""

from pipeline.commands.arguments import count, pair, positive, seconds


def test_numbers_times_and_pairs_are_read() -> None:
    assert [positive("8"), count("0")] == [8, 0]
    assert [seconds(text) for text in ("3", "0.5s", "2m")] == [3.0, 0.5, 120.0]
    assert pair("flags=-O2 -g=1") == ("flags", "-O2 -g=1")
