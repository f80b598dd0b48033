"""Waits of `performance_schema`, as captures."""

import time

from recipes.mariadb import Host

SUMS = (
    "SELECT event_name, count_star, sum_timer_wait"
    " FROM performance_schema.events_waits_summary_global_by_event_name WHERE count_star > 0"
)
SINGLE = "SELECT * FROM performance_schema.events_waits_history_long"
SIZE = "SHOW GLOBAL VARIABLES LIKE 'performance_schema_events_waits_history_long_size'"
CONSUMER = (
    "UPDATE performance_schema.setup_consumers SET enabled = '{}'"
    " WHERE name = 'events_waits_history_long'"
)


def sums(host: Host, seconds: float) -> str:
    """Return the sums of all waits, before and after so many seconds."""
    before = host.query(SUMS)
    time.sleep(seconds)
    return before + host.query(SUMS)


def single(host: Host, seconds: float) -> str:
    """Return the single waits that ended in so many seconds, with the size of their buffer."""
    host.query("TRUNCATE performance_schema.events_waits_history_long")
    host.query(CONSUMER.format("YES"))
    time.sleep(seconds)
    host.query(CONSUMER.format("NO"))
    return host.query(SIZE) + host.query(SINGLE)
