-- Who terminated an execution. Additive: a tracker of the version before goes on beside this one. The
-- file of the same name under mysql/ says the same in MySQL's words; change both or neither.

ALTER TABLE jt_executing ADD COLUMN terminated_by VARCHAR(512);
COMMENT ON COLUMN jt_executing.terminated_by IS 'who terminated it; null if nobody did';
