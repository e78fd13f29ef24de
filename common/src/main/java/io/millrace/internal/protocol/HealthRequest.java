package io.millrace.internal.protocol;

import io.millrace.api.TrackerHealth;

/**
 * Asks the tracker for its health. The tracker answers from memory, so also while its store is
 * unreachable.
 */
public record HealthRequest() implements Request<TrackerHealth> {}
