-- Which job a change was asked of. Additive: entries of a tracker of the version before have none. The file of the same name under h2/ says the
-- same in H2's words; change both or neither.

ALTER TABLE jt_audit
  ADD COLUMN job VARCHAR(255) COMMENT 'the job it was asked of, as node group/task id; null if of none, and in entries of older versions',
  ADD INDEX ix_audit_job (job, id);
