-- What the software of each tracker and worker knows. The row 'required_level' of jt_cluster says what every tracker must know: a number that rises, and
-- what came with it. Additive: a tracker of the version before goes on beside this one, and states no level. The file of the same name under h2/ says
-- the same in H2's words; change both or neither.

ALTER TABLE jt_tracker
  ADD COLUMN feature_level INT NOT NULL DEFAULT 0 COMMENT 'how much its software knows; counts only if level_of is its tracker_id';

ALTER TABLE jt_tracker
  ADD COLUMN level_of VARCHAR(128) COMMENT 'the tracker_id that stated the level: software that states none takes over the number and leaves both as they were';

ALTER TABLE jt_worker
  ADD COLUMN features VARCHAR(600) COMMENT 'what its software knows beyond plain jobs, by blanks; null if nothing';
