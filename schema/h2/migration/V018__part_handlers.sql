-- The runner of each part that a handler makes, and the length of what it returned, by which pages of results are bounded. Additive: no part is
-- stored before. The file of the same name under mysql/ says the same in MySQL's words; change both or neither.

ALTER TABLE jt_part ADD COLUMN handler VARCHAR(128);
COMMENT ON COLUMN jt_part.handler IS 'name of its runner; null means that of the run';

ALTER TABLE jt_part ADD COLUMN result_bytes INT DEFAULT 0 NOT NULL;
COMMENT ON COLUMN jt_part.result_bytes IS 'length of result in UTF-8; 0 means none';
