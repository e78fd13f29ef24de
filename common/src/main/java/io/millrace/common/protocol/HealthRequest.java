package io.millrace.common.protocol;

import io.millrace.common.model.TrackerHealth;

/** Asks the tracker how it is. It answers from memory, so also while its store is away. */
public record HealthRequest() implements Request<TrackerHealth> {}
