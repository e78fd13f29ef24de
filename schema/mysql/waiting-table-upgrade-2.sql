-- Brings a waiting table from version 1 to version 2. A tracker of version 1 goes on beside it.

ALTER TABLE ${table}
  ADD COLUMN begun BOOLEAN NOT NULL DEFAULT FALSE COMMENT 'whether it has been drawn or called up before: it runs, and cannot be missed',
  ADD COLUMN submission_id VARCHAR(128) COMMENT 'of an extra run: the id of the request; otherwise its spec or jt_job says it',
  ADD COLUMN submitted_by VARCHAR(128) COMMENT 'of an extra run: node id of the client';
