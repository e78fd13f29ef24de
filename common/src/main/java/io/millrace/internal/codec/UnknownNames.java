package io.millrace.internal.codec;

/** How a codec treats names of fields and of constants that this version does not know. */
public enum UnknownNames {
  /**
   * The field is skipped, the constant is read as UNKNOWN, so that different versions can
   * communicate.
   */
  PASSED_OVER,
  /**
   * The name is rejected with a message, so that people who write JSON by hand see their mistakes.
   */
  REFUSED
}
