-- Brings a waiting table from version 3 to version 4. A tracker of version 3 goes on beside it.

ALTER TABLE ${table}
  ADD COLUMN next_at BIGINT COMMENT 'of a planned trigger: when the next fire time of its job is due, from when on it is missed; null if nothing takes its place';
