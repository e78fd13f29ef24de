package io.millrace.internal.protocol;

import java.util.List;

/**
 * Stores parts of a run. They become triggers when the execution that stored them succeeds and
 * names their number, see {@link ExecutionResult#staged}; until then nothing runs them. Any tracker
 * answers it, after the commit; it may be sent again under its first number until it is answered.
 *
 * @param executionId the execution, which the worker must hold
 * @param first the number of the first part, from 1: one more than those that were stored before
 * @param parts 1 to {@value #MAX_PARTS} parts with up to {@value #MAX_BYTES} bytes of parameters
 */
public record StageRequest(long executionId, int first, List<StagedPart> parts)
    implements Request<StageReply> {
  public static final int MAX_PARTS = 1_000;

  /** The most bytes of UTF-8 that the parameters of all parts may take: 1 MiB. */
  public static final long MAX_BYTES = 1L << 20;

  public StageRequest {
    parts = List.copyOf(parts);
  }

  /** The bytes of UTF-8 of the parameters of all its parts. */
  public long bytes() {
    return parts.stream().mapToLong(StagedPart::bytes).sum();
  }
}
