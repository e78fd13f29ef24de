-- Pauses that are remembered, triggers of one job that take turns, and extra runs. Additive: a
-- tracker of the version before goes on beside this one. The file of the same name under mysql/
-- says the same in MySQL's words; change both or neither.

ALTER TABLE jt_job ADD COLUMN paused_by VARCHAR(512);
ALTER TABLE jt_job ADD COLUMN paused_at BIGINT;
ALTER TABLE jt_job ADD COLUMN pause_reason VARCHAR(2000);
ALTER TABLE jt_job ADD COLUMN running INT DEFAULT 0 NOT NULL;
ALTER TABLE jt_job ADD COLUMN queued INT DEFAULT 0 NOT NULL;
ALTER TABLE jt_job ADD COLUMN extra_count INT DEFAULT 0 NOT NULL;
COMMENT ON COLUMN jt_job.paused_by IS 'who paused it; null unless paused';
COMMENT ON COLUMN jt_job.paused_at IS 'when it was paused; null unless paused';
COMMENT ON COLUMN jt_job.pause_reason IS 'why it was paused, if that was said';
COMMENT ON COLUMN jt_job.running IS 'triggers that run, of a job of which one may run at a time';
COMMENT ON COLUMN jt_job.queued IS 'triggers that wait for their turn, of such a job';
COMMENT ON COLUMN jt_job.extra_count IS 'extra triggers written so far: the ordinal of the last';
ALTER TABLE jt_job ADD CONSTRAINT ck_job_turns CHECK (running >= 0 AND queued >= 0);

ALTER TABLE jt_executing ADD COLUMN counted BOOLEAN DEFAULT FALSE NOT NULL;
COMMENT ON COLUMN jt_executing.counted IS 'whether it counts in jt_job.running';
