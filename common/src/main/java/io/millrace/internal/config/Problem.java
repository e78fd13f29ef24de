package io.millrace.internal.config;

/**
 * One problem of a configuration.
 *
 * @param line line of the problem, counted from 1; {@link #NO_LINE} if it has none
 */
record Problem(int line, String message) {
  static final int NO_LINE = Integer.MAX_VALUE;
}
