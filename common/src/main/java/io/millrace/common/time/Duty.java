package io.millrace.common.time;

import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Work that comes up again and again, done in passes. A {@link RepeatedTimer} runs the passes; a
 * test, or whoever drives the cluster by hand, calls them itself.
 */
@FunctionalInterface
public interface Duty {

  /**
   * Does what there is to do now.
   *
   * @param nowMillis epoch milliseconds that this pass holds for now
   * @return what it did, for a line of the log; null if nothing worth a line
   */
  @Nullable Object runOnce(long nowMillis);

  /**
   * A duty that counts what it did; a pass that counts 0 has done nothing.
   *
   * @param what what is counted, for the log, such as "executions rescued"
   * @param pass takes now in epoch milliseconds and returns the count
   */
  static Duty counting(String what, LongUnaryOperator pass) {
    return nowMillis -> {
      long count = pass.applyAsLong(nowMillis);
      return count == 0 ? null : count + " " + what;
    };
  }
}
