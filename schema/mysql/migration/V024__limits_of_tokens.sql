-- Tokens of operators that are limited to node groups. Additive: a tracker of the version before does not find them, because their hash is another one. The
-- file of the same name under h2/ says the same in H2's words; change both or neither.

ALTER TABLE jt_operator_token
  ADD COLUMN node_groups VARCHAR(1400) COMMENT 'the node groups that it is for, by blanks, a * standing for the rest of a name; null for all';
