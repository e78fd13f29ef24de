-- Brings a waiting table from version 2 to version 3. A tracker of version 2 goes on beside it.

ALTER TABLE ${table}
  ADD COLUMN replay_of BIGINT COMMENT 'of a replay: the dead trigger, by its row in jt_history; otherwise null';
