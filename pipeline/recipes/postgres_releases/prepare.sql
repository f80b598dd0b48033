-- What the steps need beyond pgbench's own tables.
CREATE TABLE readings (
    id bigserial PRIMARY KEY,
    device integer NOT NULL,
    reading integer NOT NULL,
    taken timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX readings_device ON readings (device);
CREATE EXTENSION pg_prewarm;
VACUUM (FREEZE, ANALYZE);
CHECKPOINT;
