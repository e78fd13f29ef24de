package io.millrace.common.codec;

/** What becomes of names of fields and of constants that this version does not know. */
public enum UnknownNames {
  /**
   * The field is passed over, the constant is UNKNOWN: so versions that differ understand each
   * other.
   */
  PASSED_OVER,
  /** They are refused by name: so whoever writes JSON by hand is told of a slip. */
  REFUSED
}
