package io.millrace.internal.protocol;

/** Why a request got an error instead of its reply. */
public enum ErrorCode {
  /** The request is well formed, but this version does not know its type. */
  UNSUPPORTED,
  /** The two ends share no protocol version. */
  VERSION_MISMATCH,
  /** The proof is wrong or missing. */
  UNAUTHENTICATED,
  /** The role of the connection may not send this request. */
  FORBIDDEN,
  /** A field is missing or out of bounds. */
  BAD_REQUEST,
  /**
   * The request cannot be served now: the store is unreachable, or a limit is reached; retry later.
   */
  UNAVAILABLE,
  /** A later attempt of the same relay was answered; this one must not be sent again. */
  OUTDATED,
  /** The other end failed unexpectedly. */
  INTERNAL,
  /** A value of a newer protocol. */
  UNKNOWN
}
