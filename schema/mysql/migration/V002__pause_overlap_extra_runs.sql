-- Pauses that are remembered, triggers of one job that take turns, and extra runs. Additive: a
-- tracker of the version before goes on beside this one. The file of the same name under h2/ says
-- the same in H2's words; change both or neither.

ALTER TABLE jt_job
  ADD COLUMN paused_by VARCHAR(257) COMMENT 'who paused it; null unless paused',
  ADD COLUMN paused_at BIGINT COMMENT 'when it was paused; null unless paused',
  ADD COLUMN pause_reason VARCHAR(1000) COMMENT 'why it was paused, if that was said',
  ADD COLUMN running INT NOT NULL DEFAULT 0 COMMENT 'triggers that run, of a job of which one may run at a time',
  ADD COLUMN queued INT NOT NULL DEFAULT 0 COMMENT 'triggers that wait for their turn, of such a job',
  ADD COLUMN extra_count INT NOT NULL DEFAULT 0 COMMENT 'extra triggers written so far: the ordinal of the last',
  ADD CONSTRAINT ck_job_turns CHECK (running >= 0 AND queued >= 0);

ALTER TABLE jt_executing
  ADD COLUMN counted BOOLEAN NOT NULL DEFAULT FALSE COMMENT 'whether it counts in jt_job.running';
