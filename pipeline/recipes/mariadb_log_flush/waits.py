"""Waits of `performance_schema`, as captures.

Each is one call of the client, which sleeps in the server: on a busy machine the start of a second
client takes up to a second, and the window would be longer than it is said to be.
"""

from recipes.mariadb import Host

OWN = "event_name <> 'wait/synch/cond/sql/Item_func_sleep::cond'"
"""Leaves out the window's own sleep."""
SUMS = (
    "SELECT event_name, count_star, sum_timer_wait"
    " FROM performance_schema.events_waits_summary_global_by_event_name"
    f" WHERE count_star > 0 AND {OWN};"
)
SINGLE = f"SELECT * FROM performance_schema.events_waits_history_long WHERE {OWN};"
SIZE = "SHOW GLOBAL VARIABLES LIKE 'performance_schema_events_waits_history_long_size';"
CONSUMER = (
    "UPDATE performance_schema.setup_consumers SET enabled = '{}'"
    " WHERE name = 'events_waits_history_long';"
)


def sums(host: Host, seconds: float) -> str:
    """Return the sums of all waits, before and after so many seconds."""
    return host.query(f"{SUMS} DO SLEEP({seconds}); {SUMS}")


def single(host: Host, seconds: float) -> str:
    """Return the single waits that ended in so many seconds, with the size of their buffer."""
    empty = "TRUNCATE performance_schema.events_waits_history_long;"
    on, off = CONSUMER.format("YES"), CONSUMER.format("NO")
    return host.query(f"{empty} {on} DO SLEEP({seconds}); {off} {SIZE} {SINGLE}")
