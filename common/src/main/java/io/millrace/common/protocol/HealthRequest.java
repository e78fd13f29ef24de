package io.millrace.common.protocol;

import io.millrace.common.model.TrackerHealth;

/**
 * Asks the tracker for its health. The tracker answers from memory, so also while its store is
 * unreachable.
 */
public record HealthRequest() implements Request<TrackerHealth> {}
