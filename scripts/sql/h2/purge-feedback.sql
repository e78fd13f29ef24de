-- Deletes one chunk of ends of triggers that a client group was never told; the column "more" says whether to run it
-- again.
-- When:   feedback-backlog.sql shows a client group that will not come back. What is older than feedback.keep the
--         trackers delete by themselves.
-- Care:   a client of the group that starts later does not hear of these ends. The ledger keeps them.
-- Reads:  the ends of the client group in jt_feedback, by index, as many as the chunk.
-- Locks:  the rows of the chunk, for the length of one short transaction. Trackers may run meanwhile.
-- Set:    @client_group; @chunk, how many rows at a time.
-- Then:   run it again while "more" is 1.
SET @client_group = '';
SET @chunk = 5000;

DELETE FROM jt_feedback WHERE client_group = @client_group FETCH FIRST @chunk ROWS ONLY;

SELECT EXISTS (SELECT 1 FROM jt_feedback WHERE client_group = @client_group) AS more;
