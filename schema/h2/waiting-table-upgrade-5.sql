-- Brings a waiting table from version 4 to version 5. A tracker of version 4 goes on beside it; until it is stopped it
-- reads due triggers by a scan, because the index of that name begins with another column. The column by which the
-- version is known gets its name last: if this ends half-way, it is run again.

ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS stick_to VARCHAR(256);
COMMENT ON COLUMN ${table}.stick_to IS 'key of the worker that should run it, if that one is free; null if any may';
ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS lane_added SMALLINT DEFAULT 0 NOT NULL;
COMMENT ON COLUMN ${table}.lane_added IS 'which workers may run it: the labels of jt_lane; 0 for all';
DROP INDEX IF EXISTS ${table}_due;
CREATE INDEX IF NOT EXISTS ${table}_due ON ${table} (lane_added, priority, due_at, id);
ALTER TABLE ${table} ALTER COLUMN lane_added RENAME TO lane;
