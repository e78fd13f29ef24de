-- Of which trace a run was part. Additive: a tracker of the version before goes on beside this one. The
-- file of the same name under h2/ says the same in H2's words; change both or neither.

ALTER TABLE jt_history
  ADD COLUMN trace_parent VARCHAR(128) COMMENT 'of the trace that the job was submitted in, as W3C Trace Context has it; null if none';
