-- The runner of each part that a handler makes, and the length of what it returned, by which pages of results are bounded. Additive: no part is
-- stored before. The file of the same name under h2/ says the same in H2's words; change both or neither.

ALTER TABLE jt_part
  ADD COLUMN handler VARCHAR(128) COMMENT 'name of its runner; null means that of the run',
  ADD COLUMN result_bytes INT NOT NULL DEFAULT 0 COMMENT 'length of result in UTF-8; 0 means none';
