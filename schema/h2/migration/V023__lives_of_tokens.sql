-- When tokens of operators end, and when they were last used. Additive: tokens of a tracker of the version before have no end, and it takes no notice of the
-- end of others. The file of the same name under mysql/ says the same in MySQL's words; change both or neither.

ALTER TABLE jt_operator_token ADD COLUMN expires_at BIGINT;
COMMENT ON COLUMN jt_operator_token.expires_at IS 'when it stops being valid by itself; null if never';

ALTER TABLE jt_operator_token ADD COLUMN renewed_at BIGINT;
COMMENT ON COLUMN jt_operator_token.renewed_at IS 'when it got its present secret; null if it still has its first';

ALTER TABLE jt_operator_token ADD COLUMN last_used_at BIGINT;
COMMENT ON COLUMN jt_operator_token.last_used_at IS 'when it was last used, written up to a minute later; null if never, or by older versions only';

ALTER TABLE jt_operator_token ADD COLUMN last_used_from VARCHAR(64);
COMMENT ON COLUMN jt_operator_token.last_used_from IS 'the address that this use came from';
