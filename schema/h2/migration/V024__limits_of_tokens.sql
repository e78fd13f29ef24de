-- Tokens of operators that are limited to node groups. Additive: a tracker of the version before does not find them, because their hash is another one. The
-- file of the same name under mysql/ says the same in MySQL's words; change both or neither.

ALTER TABLE jt_operator_token ADD COLUMN node_groups VARCHAR(1400);
COMMENT ON COLUMN jt_operator_token.node_groups IS 'the node groups that it is for, by blanks, a * standing for the rest of a name; null for all';
