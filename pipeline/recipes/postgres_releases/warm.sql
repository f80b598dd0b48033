-- Brings all tables and indexes into shared buffers.
SELECT sum(pg_prewarm(oid::regclass)) FROM pg_class WHERE relkind IN ('r', 'i', 't');
