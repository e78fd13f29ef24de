package io.millrace.jobtracker.domain.outcome;

import io.millrace.api.TriggerResult;

/**
 * The end of a trigger that a client group has not acknowledged yet: a row of {@code jt_feedback}.
 *
 * @param id of the row; rises, and gives the order of delivery
 * @param clientGroup the client group that receives the result
 * @param result the result to send
 */
public record Feedback(long id, String clientGroup, TriggerResult result) {}
