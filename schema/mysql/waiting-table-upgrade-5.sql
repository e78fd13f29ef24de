-- Brings a waiting table from version 4 to version 5. A tracker of version 4 goes on beside it; until it is stopped it
-- reads due triggers by a scan, because the index of that name begins with another column.

ALTER TABLE ${table}
  ADD COLUMN lane SMALLINT NOT NULL DEFAULT 0 COMMENT 'which workers may run it: the labels of jt_lane; 0 for all',
  ADD COLUMN stick_to VARCHAR(128) COMMENT 'key of the worker that should run it, if that one is free; null if any may',
  DROP INDEX ix_due,
  ADD INDEX ix_due (lane, priority, due_at, id);
