-- Brings a waiting table from version 1 to version 2. A tracker of version 1 goes on beside it.

ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS begun BOOLEAN DEFAULT FALSE NOT NULL;
ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS submission_id VARCHAR(256);
ALTER TABLE ${table} ADD COLUMN IF NOT EXISTS submitted_by VARCHAR(256);
COMMENT ON COLUMN ${table}.begun IS 'whether it has been drawn or called up before: it runs, and cannot be missed';
COMMENT ON COLUMN ${table}.submission_id IS 'of an extra run: the id of the request; otherwise its spec or jt_job says it';
COMMENT ON COLUMN ${table}.submitted_by IS 'of an extra run: node id of the client';
