-- Which job a change was asked of. Additive: entries of a tracker of the version before have none. The file of the same name under mysql/ says
-- the same in MySQL's words; change both or neither.

ALTER TABLE jt_audit ADD COLUMN job VARCHAR(255);
COMMENT ON COLUMN jt_audit.job IS 'the job it was asked of, as node group/task id; null if of none, and in entries of older versions';

CREATE INDEX ix_audit_job ON jt_audit (job, id);
