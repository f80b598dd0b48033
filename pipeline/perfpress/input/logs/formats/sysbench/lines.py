"""The lines that sysbench prints, with the metric that each of them states."""

import re

# [ 5s ] thds: 16 tps: 54.59 qps: 327.56 (r/w/o: 0.00/218.37/109.19) lat (ms,95%): 530.08 \
#   err/s: 0.00 reconn/s: 0.00
# [   5s] threads: 16, tps: 54.60, reads: 0.00, writes: 218.40, response time: 530.08ms (95%), \
#   errors: 0.00, reconnects:  0.00                                                     0.5
INTERVAL = re.compile(r"\[\s*(\d+)s ?\] (?:thds|threads): \d+,? (.*)")
IN_INTERVAL: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("throughput", re.compile(r"\b[te]ps: (\d+\.\d+)")),
    ("queries_per_second", re.compile(r"\bqps: (\d+\.\d+)")),
    ("failed_per_second", re.compile(r"\b(?:err/s|errors): +(\d+\.\d+)")),
    ("reconnects_per_second", re.compile(r"\b(?:reconn/s|reconnects): +(\d+\.\d+)")),
)
INTERVAL_LATENCY = re.compile(r"\blat \(ms,(\d+)%\): (\d+\.\d+)")
INTERVAL_LATENCY_05 = re.compile(r"\bresponse time: (\d+\.\d+)ms \((\d+)%\)")

# [ 10s ] Checkpoint report:
CHECKPOINT = re.compile(r"\[\s*\d+s ?\] Checkpoint report:$")

COUNT_AND_RATE = r"\s+(\d+)\s+\((\d+\.\d+) per sec\.\)$"
#     transactions:                        6563   (54.60 per sec.)
TRANSACTIONS = re.compile(r"\s+transactions:" + COUNT_AND_RATE)
OF_TWO_NUMBERS: tuple[tuple[tuple[str, ...], re.Pattern[str]], ...] = (
    (("operations", "throughput"), TRANSACTIONS),
    #     queries:                             39378  (327.59 per sec.)          from 1.0 on
    #     read/write requests:                 1206288 (20102.96 per sec.)       before
    (
        ("queries", "queries_per_second"),
        re.compile(r"\s+(?:queries|read/write requests):" + COUNT_AND_RATE),
    ),
    #     ignored errors:                      1      (0.01 per sec.)            from 0.5 on
    #     deadlocks:                           0      (0.00 per sec.)            before
    (("failed_operations",), re.compile(r"\s+(?:ignored errors|deadlocks):" + COUNT_AND_RATE)),
    #     reconnects:                          0      (0.00 per sec.)
    (("reconnects",), re.compile(r"\s+reconnects:" + COUNT_AND_RATE)),
    # Threads fairness:
    #     events (avg/stddev):           410.1875/4.69
    (
        ("operations_per_client", "operations_per_client_stddev"),
        re.compile(r"\s+events \(avg/stddev\):\s+(\d+\.\d+)/(\d+\.\d+)$"),
    ),
)
"""The metric of the first number, that of the second where it is kept, and the line."""

#     events/s (eps):                      889728.1195        1.1
#     events per second:  1093.31                             1.0, cpu test
EVENTS_PER_SECOND = re.compile(r"\s+(?:events/s \(eps\)|events per second):\s+(\d+\.\d+)$")
SINGLE: tuple[tuple[str, re.Pattern[str]], ...] = (
    #     total time:                          120.2017s
    #     time elapsed:                        630.0039s          1.1
    ("seconds", re.compile(r"\s+(?:total time|time elapsed):\s+(\d+\.\d+)s$")),
    #     total number of events:              6563
    ("operations", re.compile(r"\s+total number of events:\s+(\d+)$")),
    ("throughput", EVENTS_PER_SECOND),
    #          min:                                   66.37       ms; 0.5 writes 66.37ms
    ("latency_minimum", re.compile(r"\s+min:\s+(\d+\.\d+)(?:ms)?$")),
    ("latency_average", re.compile(r"\s+avg:\s+(\d+\.\d+)(?:ms)?$")),
    ("latency_maximum", re.compile(r"\s+max:\s+(\d+\.\d+)(?:ms)?$")),
)
#          95th percentile:                      530.08
#          approx.  95 percentile:              25.09ms
PERCENTILE = re.compile(
    r"\s+(?:approx\.\s+)?(\d+)(?:st|nd|rd|th)? percentile:\s+(\d+\.\d+)(?:ms)?$"
)
#     execution time (avg/stddev):   631.8561/0.56
EXECUTION_TIME = re.compile(r"\s+execution time \(avg/stddev\):\s+(\d+\.\d+)/\d+\.\d+$")

#        1.044 |*                                        2
BUCKET = re.compile(r"\s+(\d{1,15}\.\d{1,15}) \|\**\s+(\d{1,15})$")

# Number of threads: 40
FACT = re.compile(r"(Number of threads|Warmup time|Target transaction rate): (.*)")
VERSION = re.compile(r"sysbench (\d[^\s:]*)")
# 48 CPUs
CPUS = re.compile(r"(\d+) CPUs$")

# FATAL: mysql_drv_query() returned error 1213 (Deadlock found …) for query '…'
FAILURE = re.compile(r"(?:FATAL|ALERT|ERROR|PANIC): ")

#     transactions:                        6563   (54,60 per sec.)
# tps: 54,60 qps: 327,56 …                                     what an interval line goes on with
DECIMAL_COMMA = re.compile(
    r"\s{0,30}(?:transactions|queries|read/write requests|events/s \(eps\)|events per second|[te]ps"
    r"|total time|time elapsed|total number of events|min|avg|max|[\w .]{1,20} percentile):"
    r".{0,60}\d,\d"
)

BEGINS = "Running the test with following options:"
STARTED = "Threads started!"

HEADING = re.compile(
    r"\s*$|\s+queries performed:$|(?:SQL|OLTP test|General) statistics:$|Test execution summary:$"
    r"|Throughput:$|Latency \(ms\):$|\s+(?:response time|per-request statistics):$"
    r"|Threads fairness:$|Threads started!|Running the test|CPU speed:$"
    r"|Initializing|Warming up|Latency histogram|\s+value  -+ distribution -+ count$"
    r"|Report intermediate results"
)
# Left out on purpose, each under the reason that pages show.
LEFT_OUT: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("heading", HEADING),
    #         read:                            0
    ("queries by kind", re.compile(r"\s+(?:read|write|other|total):\s+\d+$|\s+other operations:")),
    #          sum:                              1922587.72
    #     execution time (avg/stddev):   631.8561/0.56
    (
        "sums of threads",
        re.compile(r"\s+sum:|\s+total time taken|\s+execution time \(avg/stddev\):"),
    ),
)
