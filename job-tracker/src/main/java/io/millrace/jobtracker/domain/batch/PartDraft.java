package io.millrace.jobtracker.domain.batch;

import io.millrace.jobtracker.domain.trigger.StoredParams;
import org.jspecify.annotations.Nullable;

/**
 * A part that a handler makes of its run.
 *
 * @param handler name of its runner; null means that of the run
 * @param params its own parameters
 */
public record PartDraft(@Nullable String handler, StoredParams params) {}
