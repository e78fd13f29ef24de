package io.millrace.common.config;

/**
 * One thing that is wrong.
 *
 * @param line where, counted from 1; {@link #NO_LINE} if it is nowhere
 */
record Problem(int line, String message) {
  static final int NO_LINE = Integer.MAX_VALUE;
}
