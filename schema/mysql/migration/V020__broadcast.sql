-- Runs with one part for each worker. Additive: a tracker of the version before goes on beside this one as long as no job is a broadcast. The file of
-- the same name under h2/ says the same in H2's words; change both or neither.

ALTER TABLE jt_batch
  ADD COLUMN bound_to MEDIUMTEXT COMMENT 'of a BROADCAST: the workers that its parts are for, in order of their numbers, as JSON; null otherwise';
