package io.millrace.common.protocol;

/** Why a request got an error instead of its reply. */
public enum ErrorCode {
  /** Well formed, but of a type this version does not know. */
  UNSUPPORTED,
  /** The two ends share no protocol version. */
  VERSION_MISMATCH,
  /** The proof is wrong or missing. */
  UNAUTHENTICATED,
  /** The role of the connection may not ask this. */
  FORBIDDEN,
  /** A field is missing or out of bounds. */
  BAD_REQUEST,
  /** Not now: the store is out of reach, or a bound is reached; repeat later. */
  UNAVAILABLE,
  /** The other end failed in a way that it did not foresee. */
  INTERNAL,
  /** A value of a newer protocol. */
  UNKNOWN
}
