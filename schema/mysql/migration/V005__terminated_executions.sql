-- Who terminated an execution. Additive: a tracker of the version before goes on beside this one. The
-- file of the same name under h2/ says the same in H2's words; change both or neither.

ALTER TABLE jt_executing
  ADD COLUMN terminated_by VARCHAR(257) COMMENT 'who terminated it; null if nobody did';
