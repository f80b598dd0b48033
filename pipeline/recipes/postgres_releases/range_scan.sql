-- Sums 1000 neighbouring rows, found through the primary key.
\set low random(1, 999001)
SELECT sum(abalance) FROM pgbench_accounts WHERE aid BETWEEN :low AND :low + 999;
