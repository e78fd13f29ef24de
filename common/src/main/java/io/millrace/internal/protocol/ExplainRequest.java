package io.millrace.internal.protocol;

import io.millrace.api.Explanation;
import org.jspecify.annotations.Nullable;

/**
 * Asks why the job with this key has or has not run, and what happens next. Changes nothing.
 *
 * @param language of the sentences, as a language tag; null means English, which also replaces a
 *     language that the tracker does not support
 */
public record ExplainRequest(String nodeGroup, String taskId, @Nullable String language)
    implements Request<Explanation> {

  /** Asks in English. */
  public ExplainRequest(String nodeGroup, String taskId) {
    this(nodeGroup, taskId, null);
  }
}
