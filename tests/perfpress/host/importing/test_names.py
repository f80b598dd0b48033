"""What is read from names of directories and files."""

import pytest
from perfpress.host.importing import flame_graphs, insert_benchmark, sysbench
from perfpress.host.importing.builds import Build, build_of
from perfpress.host.importing.kind import ArchiveKind
from perfpress.host.importing.map_file import FileRule
from perfpress.input.bundles.patterns import file_pattern


@pytest.mark.parametrize(
    ("name", "build"),
    [
        ("my8045_rel_o2nofp", Build("my8045", "MySQL 8.0.45", "rel_o2nofp")),
        ("my5651_rel", Build("my5651", "MySQL 5.6.51", "rel")),
        ("fbmy5635_rel_lto", Build("fbmy5635", "MyRocks 5.6.35", "rel_lto")),
        ("ma110402_rel_withdbg", Build("ma110402", "MariaDB 11.4.2", "rel_withdbg")),
        ("ma110402_fix7_rel", Build("ma110402_fix7", "MariaDB 11.4.2 fix7", "rel")),
        ("pg1023_o2nofp", Build("pg1023", "PostgreSQL 10.23", "o2nofp")),
        ("pg110", Build("pg110", "PostgreSQL 11.0", None)),
        ("pg9624_def", Build("pg9624", "PostgreSQL 9.6.24", "def")),
        ("pg19b1", Build("pg19b1", "PostgreSQL 19beta1", None)),
        ("my8406v2_rel", Build("my8406v2", "MySQL 8.4.6 v2", "rel")),
        ("8406v2", Build("8406v2", "8.4.6 v2", None)),
        ("5001", Build("5001", None, None)),
        ("2024", Build("2024", None, None)),
        ("pg18beta1", Build("pg18beta1", "PostgreSQL 18beta1", None)),
        ("rx80", Build("rx80", "MyRocks 8.0", None)),
        ("2024-05-01", Build("2024-05-01", None, None)),
        ("rel", Build("rel", None, None)),
        ("8.4.5", Build("8.4.5", "8.4.5", None)),
        ("v17.2", Build("v17.2", "17.2", None)),
        ("mysql-8.0.37", Build("mysql-8.0.37", "MySQL 8.0.37", None)),
        ("rocksdb-9.10.0", Build("rocksdb-9.10.0", "RocksDB 9.10.0", None)),
        ("pg15.4", Build("pg15.4", "PostgreSQL 15.4", None)),
        ("MariaDB 10.11.6", Build("MariaDB 10.11.6", "MariaDB 10.11.6", None)),
        ("v8.4.5-12-g1a2b3c4", Build("v8.4.5-12-g1a2b3c4", "8.4.5-12-g1a2b3c4", None)),
        ("8.4.5v2", Build("8.4.5v2", "8.4.5 v2", None)),
        ("8.0.36-28", Build("8.0.36-28", "8.0.36-28", None)),
        ("8.4.5-2", Build("8.4.5-2", None, None)),
        ("mysql-8.0.37_v2", Build("mysql-8.0.37_v2", "MySQL 8.0.37 v2", None)),
        ("pn53", Build("pn53", None, None)),
        ("pg-17beta2", Build("pg-17beta2", "PostgreSQL 17beta2", None)),
        ("18rc1", Build("18rc1", "18rc1", None)),
        ("pg17", Build("pg17", "PostgreSQL 17", None)),
        ("pg96_o2", Build("pg96", "PostgreSQL 9.6", "o2")),
        ("postgresql-18", Build("postgresql-18", "PostgreSQL 18", None)),
        ("pg7", Build("pg7", None, None)),
    ],
)
def test_a_builds_name_has_release_version_and_flavour(name: str, build: Build) -> None:
    assert build_of(name) == build


@pytest.mark.parametrize(
    ("kind", "name", "facts"),
    [
        (
            sysbench.KIND,
            "x.pg172_o2nofp.x10a_c8r32.pk1",
            {"release": "pg172", "config": "x10a_c8r32", "axes": {"build": "o2nofp"}},
        ),
        (sysbench.KIND, "june/my8045.z12a", {"release": "my8045", "config": "z12a", "axes": {}}),
        (sysbench.KIND, "oddly-named", {"release": "oddly-named", "config": None, "axes": {}}),
        (
            insert_benchmark.KIND,
            "2u.1tyes/20m.rx80_rel.c1",
            {
                "release": "rx80",
                "config": "c1",
                "clients": 2,
                "axes": {"rows": "20m", "build": "rel", "one_table": "yes"},
            },
        ),
        (
            insert_benchmark.KIND,
            "20m/o.sum.t.20m.my5649.cx6d.badcnf",
            {"release": "my5649", "config": "cx6d.badcnf", "clients": None},
        ),
        (
            insert_benchmark.KIND,
            "20k.4thr/pg175_o2nofp.x10a_c8r32",
            {
                "release": "pg175",
                "version": "PostgreSQL 17.5",
                "config": "x10a_c8r32",
                "clients": 4,
                "axes": {"rows": "20k", "build": "o2nofp"},
            },
        ),
        (
            insert_benchmark.KIND,
            "800m.my8408_rel.cz12a.r2/nuc7",
            {
                "release": "my8408",
                "config": "cz12a",
                "axes": {"rows": "800m", "build": "rel", "run": "r2"},
            },
        ),
        (
            sysbench.KIND,
            "x.my8035_rel.z11a.pk1/nuc7",
            {"release": "my8035", "config": "z11a", "axes": {"build": "rel"}},
        ),
        (
            sysbench.KIND,
            "pg17.old/x.pg_oriole17_5_o2nofp.x10a.pk1.run2",
            {
                "release": "pg_oriole17_5",
                "config": "x10a",
                "axes": {"build": "o2nofp", "run": "run2"},
            },
        ),
        (sysbench.KIND, "inmem/my8020", {"release": "my8020", "version": "MySQL 8.0.20"}),
        (sysbench.KIND, "inmem/notes", {"release": "notes", "version": None, "config": None}),
        (flame_graphs.KIND, "set/2024-05-01", {"release": "2024-05-01", "version": None}),
    ],
)
def test_a_directorys_name_has_the_keys_of_the_run(
    kind: ArchiveKind, name: str, facts: dict[str, object]
) -> None:
    entry = kind.entry(name)
    assert {key: getattr(entry, key) for key in facts} == facts
    assert (entry.host, entry.started) == (None, None)


@pytest.mark.parametrize(
    ("kind", "name", "use", "match"),
    [
        (sysbench.KIND, "sb.o.scan.range100.pk1.dop40", "log",
         "sb.o.{test}.range{range}.pk1.dop{clients}"),
        (sysbench.KIND, "sb.o.scan.warm.range100.pk0", "log", "sb.o.{test}.range{range}.pk0"),
        (sysbench.KIND, "sb.vm.scan.range100.pk1.dop40.gz", "log",
         "sb.vm.{test}.range{range}.pk1.dop{clients}"),
        (sysbench.KIND, "sb.perf.hw.cpu.scan.range100.pk1.dop40", "log",
         "sb.perf.hw.cpu.{test}.range{range}.pk1.dop{clients}"),
        (sysbench.KIND, "sb.perf.g.cycles:u.scan.range100.pk1.12.svg.gz", "capture",
         "sb.perf.g.{event}.{test}.range{range}.pk1.*.svg"),
        (sysbench.KIND, "sb.perf.g.cycles.scan.pre.range100.pk1.all.svg", "second-hand capture",
         "sb.perf.g.{event}.{test}.range{range}.pk1.all.svg"),
        (sysbench.KIND, "sb.perf.rep.f.scan.range100.pk1.3", "second-hand capture",
         "sb.perf.rep.f.{test}.range{range}.pk1.*"),
        (sysbench.KIND, "sb.r.qps.scan.range100.pk1.dop40", "leave out",
         "sb.r.qps.{test}.range{range}.pk1.dop{clients}"),
        (sysbench.KIND, "my.cnf", "attachment", "my.cnf"),
        (insert_benchmark.KIND, "l.i1/o.res.dop8", "log", "{step}/o.res.dop{clients}"),
        (insert_benchmark.KIND, "l.i1/o.res.dop8.bak", "leave out",
         "{step}/o.res.dop{clients}.bak"),
        (sysbench.KIND, "sb.o.scan.range100.pk1.dop4.old", "leave out",
         "sb.o.{test}.range{range}.pk1.dop{clients}.old"),
        (insert_benchmark.KIND, "q.L1.ips100/o.ib.dop8.3", "log", "{step}/o.ib.dop{clients}.*"),
        (insert_benchmark.KIND, "l.i1/o.perf.g.cycles.dop8.7.svg.gz", "capture",
         "{step}/o.perf.g.{event}.dop{clients}.*.svg"),
        (insert_benchmark.KIND, "l.i1/o.gs.dop8", "leave out", "{step}/o.gs.dop{clients}"),
        (flame_graphs.KIND, "scan/stacks.folded.gz", "capture", "{step}/*.folded"),
        (flame_graphs.KIND, "scan.svg", "second-hand capture", "{step}.svg"),
        (flame_graphs.KIND, "insert/5651.insert.svg.gz", "second-hand capture",
         "{step}/{release}.*.svg"),
        (flame_graphs.KIND, "sp0/o.ma.ma110806.svg", "second-hand capture",
         "{step}/o.ma.{release}.svg"),
        (flame_graphs.KIND, "8406v2.scan.folded", "capture", "{release}.{step}.folded"),
        (flame_graphs.KIND, "scan/5651.diff.svg", "leave out", "{step}/*diff*.svg"),
        (flame_graphs.KIND, "scan/diff.svg.gz", "leave out", "{step}/*diff*.svg"),
    ],
)  # fmt: skip
def test_a_files_name_decides_its_use(kind: ArchiveKind, name: str, use: str, match: str) -> None:
    rule = kind.rule(name)
    assert rule is not None
    assert (rule.use, rule.match) == (use, match)
    assert file_pattern(rule.match).fullmatch(name)


@pytest.mark.parametrize("kind", [sysbench.KIND, insert_benchmark.KIND, flame_graphs.KIND])
@pytest.mark.parametrize("name", ["notes", "a/b/c/d.txt", "sb.o.scan", "o.sum", "x" * 200])
def test_other_files_are_of_no_rule(kind: ArchiveKind, name: str) -> None:
    assert kind.rule(name) is None
    assert kind.home(name) is None


@pytest.mark.parametrize(
    ("kind", "name", "home"),
    [
        (sysbench.KIND, "a/x.b.c.pk1/sb.o.scan.range100.pk1.dop4", "a/x.b.c.pk1"),
        (sysbench.KIND, "sb.o.scan.range100.pk1.dop4", ""),
        (insert_benchmark.KIND, "8u.1tno/20m.rx80.c1/l.i1/o.res.dop8", "8u.1tno/20m.rx80.c1"),
        (insert_benchmark.KIND, "20m.rx80.c1/other/o.res.dop8", None),
        (insert_benchmark.KIND, "20m/o.sum.t.20m.rx80.c1", "20m/o.sum.t.20m.rx80.c1"),
        (flame_graphs.KIND, "set/8.0/scan/flamegraph.svg.gz", "set/8.0"),
        (flame_graphs.KIND, "8.0/scan.svg", "8.0"),
        (flame_graphs.KIND, "scan/flamegraph.svg", ""),
        (flame_graphs.KIND, "24aug7/pn53/insert/5651.insert.svg", "24aug7/pn53"),
        (flame_graphs.KIND, "my8045_rel/5651.insert.svg", "my8045_rel"),
    ],
)
def test_a_file_marks_the_directory_of_results(
    kind: ArchiveKind, name: str, home: str | None
) -> None:
    assert kind.home(name) == home


def test_the_closer_rule_comes_first_and_the_log_of_the_step_before_all() -> None:
    names = ["sb.vm.scan.range1.pk1", "sb.perf.g.cycles.scan.range1.pk1.2.svg",
             "sb.perf.g.cycles.scan.range1.pk1.all.svg", "sb.o.scan.range1.pk1"]  # fmt: skip
    rules = [rule for name in names if (rule := sysbench.KIND.rule(name))]
    assert [rule.match.partition("{")[0] for rule in sysbench.KIND.ordered(rules)] == [
        "sb.o.", "sb.vm.", "sb.perf.g.", "sb.perf.g."
    ]  # fmt: skip
    ordered: list[FileRule] = sysbench.KIND.ordered(rules)
    assert ordered[2].use == "second-hand capture"


@pytest.mark.parametrize(
    ("step", "group"),
    [
        ("point-query range=100", "Point queries"),
        ("points-covered-si.warm range=100", "Warm-up"),
        ("read-write range=10", "Writes"),
        ("update-zipf range=100", "Writes"),
        ("scan range=100", "Range queries"),
    ],
)
def test_tests_are_grouped_as_their_author_does(step: str, group: str) -> None:
    assert sysbench.group(step) == group
