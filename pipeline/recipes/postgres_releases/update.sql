-- Updates one row, found through the primary key.
\set aid random(1, 1000000)
\set delta random(-5000, 5000)
UPDATE pgbench_accounts SET abalance = abalance + :delta WHERE aid = :aid;
