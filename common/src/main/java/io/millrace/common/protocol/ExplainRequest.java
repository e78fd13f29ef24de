package io.millrace.common.protocol;

import io.millrace.common.model.Explanation;
import org.jspecify.annotations.Nullable;

/**
 * Asks why the job of this key has or has not run, and what happens next. Changes nothing.
 *
 * @param language of the sentences, as a language tag; null for English, which also stands for one
 *     that the tracker does not speak
 */
public record ExplainRequest(String nodeGroup, String taskId, @Nullable String language)
    implements Request<Explanation> {

  /** Asks in English. */
  public ExplainRequest(String nodeGroup, String taskId) {
    this(nodeGroup, taskId, null);
  }
}
