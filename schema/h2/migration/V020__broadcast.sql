-- Runs with one part for each worker. Additive: a tracker of the version before goes on beside this one as long as no job is a broadcast. The file of
-- the same name under mysql/ says the same in MySQL's words; change both or neither.

ALTER TABLE jt_batch ADD COLUMN bound_to VARCHAR;
COMMENT ON COLUMN jt_batch.bound_to IS 'of a BROADCAST: the workers that its parts are for, in order of their numbers, as JSON; null otherwise';
