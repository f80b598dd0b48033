"""Files that are no log of a known format, and can be called what they are."""

import time
from pathlib import Path

import pytest
from perfpress.input.logs.other_logs import other_log
from perfpress.input.logs.read import read_log

FILES = {
    "hey": ("response-time,DNS+dialup,DNS,Request-write,Response-delay\n0.1,0,0,0,0\n", "-o csv"),
    "autocannon": (
        "Running 2s test @ http://127.0.0.1:8765/\n4 connections\n\n\n┌─────────┬───────┐\n",
        "autocannon --json",
    ),
    "vitest": (
        "\x1b[33mBenchmarking is an experimental feature.\n"
        "     \x1b[1mname \x1b[22m  \x1b[1m          hz\x1b[22m  \x1b[1m   min\x1b[22m  "
        "\x1b[1m    max\x1b[22m  \x1b[1m  mean\x1b[22m  \x1b[1m   p75\x1b[22m  \n",
        "--outputJson",
    ),
    "mitata": (
        "clk: ~3.25 GHz\n\n| benchmark   |              avg |         min |\n",
        "format: 'json'",
    ),
    "hyperfine-markdown": (
        "| Command | Mean [ms] | Min [ms] | Max [ms] | Relative |\n|:---|---:|---:|---:|---:|\n",
        "--export-json",
    ),
    "jmh-csv": (
        '"Benchmark","Mode","Threads","Samples","Score"\n"a.B.c","thrpt",1,2,6.5\n',
        "-rf json",
    ),
    "k6-csv": ("metric_name,timestamp,metric_value,check\nhttp_reqs,1,1.0,\n", "--summary-export"),
    "vegeta": (
        "Requests      [total, rate, throughput]         600, 300.53, 300.52\n",
        "report -type=json",
    ),
    "vegeta-hist": (
        "Bucket         #    %       Histogram\n[0s,  1ms]  572  95.33%\n",
        "-type=json",
    ),
    "vegeta-encode": ('{"attack":"","seq":0,"code":200}\n{"attack":"","seq":1}\n', "-type=json"),
    "ab-gnuplot": ("starttime\tseconds\tctime\tdtime\tttime\twait\n", "what ab prints"),
    "locust-tables": (
        "Type     Name                 # reqs      # fails |    Avg     Min\nGET      /\n",
        "--csv PREFIX",
    ),
    "locust-json": (
        '[\n    {\n        "name": "/",\n        "num_none_requests": 0\n',
        "--csv PREFIX",
    ),
    "codspeed": ("┃        Benchmark ┃ Time (best) ┃ Rel. StdDev ┃\n", "--benchmark-json"),
    "benchstat": (
        "            │ go6.txt │\n            │ sec/op  │\nWork-2      34.61µ ± 789%\n",
        "go test -bench",
    ),
    "benchstat-csv": (",go6.txt,\n,sec/op,CI\nWork-2,3.46135e-05,789%\n", "go test -bench"),
    "nanobench": (
        "|               ns/op |                op/s |    err% |     total | benchmark\n"
        "|--------------------:|--------------------:|--------:|----------:|:----------\n",
        "templates::json()",
    ),
    "benny": ('Running "Example" suite...\nProgress: 50%\n', "b.save"),
    "timeit": ("500000 loops, best of 5: 470 nsec per loop\n", "pyperf timeit"),
    "pyperf": (".....................\nMean +- std dev: 410 ns +- 22 ns\n", "-o FILE"),
    "richbench": ("                Benchmarks, repeat=5, number=5                  \n", "pytest"),
    "locust": ("Timestamp,User Count,Type,Name,Requests/s,Failures/s\n1,0,,A,0,0\n", "_stats.csv"),
    "pytest": (
        ".    [100%]\n\n------- benchmark: 1 tests -------\nName (time in us)  Min\n",
        "--benchmark-json",
    ),
    "pytest-group": ("------- benchmark 'sums': 2 tests -------\n", "--benchmark-json"),
    "jmh": ("# JMH version: 1.37\n# VM version: JDK 21\n\nBenchmark  Mode  Cnt\n", "-rf json"),
    "hyperfine": (
        "Benchmark 1: sleep 0.1\n  Time (mean ± σ):     101.5 ms ±   0.3 ms\n",
        "--export-json",
    ),
    "google": (
        "2026-11-20T10:00:00+01:00\nRunning ./bench\n-----\n"
        "Benchmark          Time             CPU   Iterations\nBM_a  1 ns  1 ns  5\n",
        "--benchmark_out",
    ),
    "redis": (
        "SET: rps=0.0 (overall: -nan) avg_msec=-nan (overall: -nan)\r   \r"
        "SET: rps=4398.4 (overall: 4398.4) avg_msec=10.141 (overall: 10.141)\n",
        "--csv",
    ),
    "iperf3": (
        "Connecting to host 127.0.0.1, port 7779\n"
        "[ ID] Interval           Transfer     Bitrate         Retr  Cwnd\n",
        "--json",
    ),
    "fio-terse": ("3;fio-3.33;mixed;0;0;528;10560;2640;50;0;0;0.0\n", "--output-format=json"),
    "hyperfine-csv": (
        "command,mean,stddev,median,user,system,min,max\ntrue,0.02,0.02,0.02,0.001,0,0.001,0.05\n",
        "--export-json",
    ),
    "stress-ng-yaml": ("---\nsystem-info:\n      stress-ng-version: 0.15.06\n", "--metrics"),
    "sadf": ("# hostname;interval;timestamp;CPU;%user;%nice;%system\nvm;1;x;-1;1;0;1\n", "sadf -j"),
    "dotnet": ("| Method |     Mean |    Error |\n|------- |---------:|\n", "--exporters json"),
    "k6-values": ('{"type":"Metric","data":{"name":"http_reqs"}}\n', "--summary-export"),
    "k6-text": ("     http_reqs......................: 200  19.9/s\n", "--summary-export"),
    "speedscope": (
        '{"version": "0.0.1", "$schema": "https://www.speedscope.app/file-format-schema.json"}\n',
        "under captures",
    ),
    "v8": ('{"nodes":[{"id":1,"callFrame":{"functionName":"(root)"}}]}\n', "under captures"),
    "folded": ("server;main;read 12\nserver;main 3\n", "under captures"),
    "cachegrind": ("desc: I1 cache: 32768 B\ndesc: D1 cache: 32768 B\n", "under captures"),
    "massif": ("desc: --massif-out-file=x\ncmd: ./w\ntime_unit: i\n", "under captures"),
    "dhat": ('{"dhatFileVersion":2\n,"mode":"heap"\n', "under captures"),
    "bpftrace": ('{"type": "attached_probes", "data": {"probes": 1}}\n', "under captures"),
    "jfr": ("jdk.ExecutionSample {\n  startTime = 10:00\n", "under captures"),
    "callgrind": ("version: 1\ncreator: callgrind-3.19.0\n", "under captures"),
}


@pytest.mark.parametrize("name", FILES)
def test_a_file_is_called_what_it_is(tmp_path: Path, name: str) -> None:
    text, do = FILES[name]
    path = tmp_path / "log.txt"
    path.write_text(text, encoding="utf-8")
    reading = read_log(path, "log.txt")
    assert reading.format == ""
    [problem] = reading.problems
    assert do in problem.do
    assert "no known format" not in problem.found


def test_other_text_is_not_taken_for_one() -> None:
    assert other_log(["server started", "12 requests; 3 failed"]) is None


@pytest.mark.parametrize("piece", ["a;", "-", "|", "{", " ", "\n ", "# JMH version"])
def test_hostile_text_takes_no_time(piece: str) -> None:
    began = time.process_time()
    other_log((piece * 2**18).split("\n"))
    assert time.process_time() - began < 1
