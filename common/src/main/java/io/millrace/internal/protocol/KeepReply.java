package io.millrace.internal.protocol;

/** Answers {@link KeepRequest}. */
public record KeepReply(KeepStatus status) {
  public KeepReply {
    status = status == null ? KeepStatus.UNKNOWN : status;
  }
}
