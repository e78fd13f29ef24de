-- Tokens of viewers who operate some node groups. Additive: for a tracker of the version before, they look only. The file of the same name under
-- mysql/ says the same in MySQL's words; change both or neither.

ALTER TABLE jt_operator_token ADD COLUMN operated_groups VARCHAR(1400);
COMMENT ON COLUMN jt_operator_token.operated_groups IS 'the node groups that a holder of the role VIEW operates, written like node_groups; null for none';
