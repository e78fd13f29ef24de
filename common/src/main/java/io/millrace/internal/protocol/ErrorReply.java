package io.millrace.internal.protocol;

/** The answer to a request that failed, instead of its reply. */
public record ErrorReply(ErrorCode code, String message) {
  public ErrorReply {
    code = code == null ? ErrorCode.UNKNOWN : code;
  }
}
