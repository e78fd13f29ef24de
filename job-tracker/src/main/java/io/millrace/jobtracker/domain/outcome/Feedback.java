package io.millrace.jobtracker.domain.outcome;

import io.millrace.common.model.TriggerResult;

/**
 * The end of a trigger that a client group has yet to acknowledge: a row of {@code jt_feedback}.
 *
 * @param id of the row; rises, and gives the order of telling
 * @param clientGroup whom to tell
 * @param result what to tell
 */
public record Feedback(long id, String clientGroup, TriggerResult result) {}
