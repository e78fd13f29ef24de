package io.millrace.internal.protocol;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Answers {@link KeptRequest}.
 *
 * @param status {@link KeepStatus#KEPT}, or {@link KeepStatus#LOST} if the worker does not hold the
 *     execution
 * @param runKey identifies the run over all its attempts and replays; null with LOST
 * @param values what the run keeps, in no order
 */
public record KeptReply(KeepStatus status, @Nullable String runKey, List<Value> values) {
  public KeptReply {
    status = status == null ? KeepStatus.UNKNOWN : status;
    values = values == null ? List.of() : List.copyOf(values);
  }

  /**
   * A value that is kept.
   *
   * @param name name of the step; null for a checkpoint
   * @param value as in {@link KeepRequest}
   */
  public record Value(KeptKind kind, @Nullable String name, @Nullable String value) {
    public Value {
      kind = kind == null ? KeptKind.UNKNOWN : kind;
    }
  }
}
