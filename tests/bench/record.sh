#!/bin/sh
# Record a large capture of real work: MariaDB under several loads of sysbench, and RocksDB, each a
# recording of its own, as perf script text one after the other. Repeating one recording would not
# do: a cache of lines or stacks would look better than it is.
#
#     tests/bench/record.sh DIRECTORY        writes DIRECTORY/large.perf-script
#
# Needs perf, and from Debian: mariadb-server sysbench rocksdb-tools. Run as root: it samples every
# CPU, and stops its own server in the end.
set -eu

directory=$1
mkdir -p "$directory"
directory=$(cd "$directory" && pwd)
work=$(mktemp -d "$directory/recording.XXXXXX")
chmod 755 "$work"
socket=$work/mariadb.sock
TABLES="--tables=8 --table-size=200000"

for tool in perf mariadbd mariadb-install-db mariadb-admin sysbench db_bench; do
  command -v "$tool" >/dev/null || {
    echo "$0: no $tool; apt-get install linux-perf mariadb-server sysbench rocksdb-tools" >&2
    exit 1
  }
done

load() { # TEST COMMAND ARGUMENT…; runs in a subshell, as the sysbench that can be stopped
  exec sysbench "$@" --db-driver=mysql --mysql-socket="$socket" --mysql-user=root --mysql-db=bench $TABLES
}

# Record every CPU while a load runs in the background, and write the text.
record() { # NAME SECONDS PERF_ARGUMENT…
  name=$1 seconds=$2
  shift 2
  perf record --quiet -o "$work/$name.data" -e cpu-clock -a "$@" -- sleep "$seconds"
  kill "$load" 2>/dev/null || true
  wait "$load" || true
  perf script --no-inline -i "$work/$name.data" >"$work/$name.txt" 2>/dev/null
  rm "$work/$name.data"
}

stop() {
  mariadb-admin --socket="$socket" --user=root shutdown 2>/dev/null || true
  rm -rf "$work"
}
trap stop EXIT

install -d -o mysql -g mysql "$work/data"
mariadb-install-db --user=mysql --datadir="$work/data" --auth-root-authentication-method=normal \
  --skip-test-db >/dev/null
chmod 777 "$work"
mariadbd --no-defaults --user=mysql --datadir="$work/data" --socket="$socket" --skip-networking \
  --pid-file="$work/data/pid" --innodb-buffer-pool-size=1G --innodb-flush-log-at-trx-commit=2 \
  >"$work/mariadb.log" 2>&1 &
until mariadb-admin --socket="$socket" --user=root ping >/dev/null 2>&1; do sleep 1; done
mariadb-admin --socket="$socket" --user=root create bench
(load oltp_read_write prepare) >/dev/null

RUN="run --threads=16 --time=120"
load oltp_read_write $RUN >/dev/null & load=$!
record read-write 40 -F 999 -g
load oltp_read_only $RUN --range-size=1000 >/dev/null & load=$!
record read-only 45 -F 1999 -g
load oltp_write_only $RUN >/dev/null & load=$!
record write-only 45 -F 1999 -g
load oltp_read_write $RUN >/dev/null & load=$!
record read-write-dwarf 20 -F 999 --call-graph dwarf,16384 -m 4M
db_bench --benchmarks=fillrandom,overwrite,readrandom,seekrandom,readwhilewriting --threads=4 \
  --num=1000000 --db="$work/rocksdb" >/dev/null 2>&1 &
load=$!
record rocksdb-dwarf 45 -F 999 --call-graph dwarf,16384 -m 4M

cd "$work"
cat read-write.txt read-only.txt write-only.txt read-write-dwarf.txt rocksdb-dwarf.txt >large.txt
mv large.txt "$directory/large.perf-script"
