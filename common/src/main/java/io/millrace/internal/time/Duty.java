package io.millrace.internal.time;

import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Recurring work, done in passes. A {@link RepeatedTimer} runs the passes; a test, or a program
 * that drives the cluster by hand, calls them itself.
 */
@FunctionalInterface
public interface Duty {

  /**
   * Does the work that is due now.
   *
   * @param nowMillis the current time of this pass, in epoch milliseconds
   * @return what the pass did, for a log line; null if it did nothing worth a line
   */
  @Nullable Object runOnce(long nowMillis);

  /**
   * A duty that counts what it did; a pass that counts 0 has done nothing.
   *
   * @param what name of the counted things, for the log, such as "executions rescued"
   * @param pass receives the current time in epoch milliseconds and returns the count
   */
  static Duty counting(String what, LongUnaryOperator pass) {
    return nowMillis -> {
      long count = pass.applyAsLong(nowMillis);
      return count == 0 ? null : count + " " + what;
    };
  }
}
