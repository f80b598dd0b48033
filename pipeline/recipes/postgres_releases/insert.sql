-- Inserts ten rows in one statement, into a table with a primary key and one more index.
\set device random(1, 100000)
\set reading random(1, 1000000)
INSERT INTO readings (device, reading) VALUES
    (:device, :reading), (:device + 1, :reading), (:device + 2, :reading),
    (:device + 3, :reading), (:device + 4, :reading), (:device + 5, :reading),
    (:device + 6, :reading), (:device + 7, :reading), (:device + 8, :reading),
    (:device + 9, :reading);
