-- Persons who sign in through an identity provider. Additive: a tracker of the version before takes a person for a token whose secret is unknown, and finds the
-- sessions of both. The file of the same name under mysql/ says the same in MySQL's words; change both or neither.

ALTER TABLE jt_operator_token ADD COLUMN identity VARCHAR(64);
COMMENT ON COLUMN jt_operator_token.identity IS 'SHA-256 of issuer and subject, in hex, of a person who signs in through an identity provider; null for a token';

ALTER TABLE jt_operator_token ADD CONSTRAINT uq_operator_token_identity UNIQUE (identity);
