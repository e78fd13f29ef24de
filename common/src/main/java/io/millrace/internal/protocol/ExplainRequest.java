package io.millrace.internal.protocol;

import io.millrace.api.Explanation;
import java.time.ZoneId;
import org.jspecify.annotations.Nullable;

/**
 * Asks why the job with this key has or has not run, and what happens next. Changes nothing.
 *
 * @param language of the sentences, as a language tag; null means English, which also replaces a
 *     language that the tracker does not support
 * @param zone by whose clocks the sentences say instants; null for instants in UTC, in ISO 8601
 */
public record ExplainRequest(
    String nodeGroup, String taskId, @Nullable String language, @Nullable ZoneId zone)
    implements Request<Explanation> {

  /** Asks in English, with instants in UTC. */
  public ExplainRequest(String nodeGroup, String taskId) {
    this(nodeGroup, taskId, null, null);
  }
}
