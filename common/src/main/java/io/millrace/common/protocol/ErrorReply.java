package io.millrace.common.protocol;

/** Takes the place of any reply when a request fails. */
public record ErrorReply(ErrorCode code, String message) {
  public ErrorReply {
    code = code == null ? ErrorCode.UNKNOWN : code;
  }
}
