-- Replays of parts, and of runs without what succeeded. Additive: a tracker of the version before goes on beside this one as long as nothing
-- is replayed so. The file of the same name under h2/ says the same in H2's words; change both or neither.

ALTER TABLE jt_part
  ADD COLUMN dead_id BIGINT COMMENT 'of a replay: the dead trigger that it replays, by its row in jt_dead',
  ADD COLUMN replaced_by INT COMMENT 'the number of its last replay, which takes its place; null if it was not replayed';

ALTER TABLE jt_dead
  ADD COLUMN parts INT COMMENT 'of a run that was split: into how many parts; otherwise null';
