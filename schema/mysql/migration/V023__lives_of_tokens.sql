-- When tokens of operators end, and when they were last used. Additive: tokens of a tracker of the version before have no end, and it takes no notice of the
-- end of others. The file of the same name under h2/ says the same in H2's words; change both or neither.

ALTER TABLE jt_operator_token
  ADD COLUMN expires_at BIGINT COMMENT 'when it stops being valid by itself; null if never',
  ADD COLUMN renewed_at BIGINT COMMENT 'when it got its present secret; null if it still has its first',
  ADD COLUMN last_used_at BIGINT COMMENT 'when it was last used, written up to a minute later; null if never, or by older versions only',
  ADD COLUMN last_used_from VARCHAR(64) COMMENT 'the address that this use came from';
