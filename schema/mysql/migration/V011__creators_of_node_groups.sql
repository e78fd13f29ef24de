-- Who had each node group made, so that one client group cannot have all that there may be, and since when nothing has used it, so that what nothing
-- uses is dropped. Additive: a tracker of the version before goes on beside this one. The file of the same name under h2/ says the same in H2's words;
-- change both or neither.

ALTER TABLE jt_node_group
  ADD COLUMN created_by VARCHAR(160) COMMENT 'client: and the client group whose submit made it; worker if the pull of a worker did; null if that is not known';

ALTER TABLE jt_node_group
  ADD COLUMN unused_since BIGINT COMMENT 'since when its owner has found nothing that uses it; null if something does';
