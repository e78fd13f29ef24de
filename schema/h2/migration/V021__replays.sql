-- Replays of parts, and of runs without what succeeded. Additive: a tracker of the version before goes on beside this one as long as nothing
-- is replayed so. The file of the same name under mysql/ says the same in MySQL's words; change both or neither.

ALTER TABLE jt_part ADD COLUMN dead_id BIGINT;
COMMENT ON COLUMN jt_part.dead_id IS 'of a replay: the dead trigger that it replays, by its row in jt_dead';

ALTER TABLE jt_part ADD COLUMN replaced_by INT;
COMMENT ON COLUMN jt_part.replaced_by IS 'the number of its last replay, which takes its place; null if it was not replayed';

ALTER TABLE jt_dead ADD COLUMN parts INT;
COMMENT ON COLUMN jt_dead.parts IS 'of a run that was split: into how many parts; otherwise null';
