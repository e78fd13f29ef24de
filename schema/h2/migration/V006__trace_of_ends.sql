-- Of which trace a run was part. Additive: a tracker of the version before goes on beside this one. The
-- file of the same name under mysql/ says the same in MySQL's words; change both or neither.

ALTER TABLE jt_history ADD COLUMN trace_parent VARCHAR(128);
COMMENT ON COLUMN jt_history.trace_parent IS 'of the trace that the job was submitted in, as W3C Trace Context has it; null if none';
