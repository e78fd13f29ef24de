package io.millrace.tasktracker;

import org.jspecify.annotations.Nullable;

/**
 * The log of one attempt. The tracker stores it together with the history of the attempt. As in
 * SLF4J, {@code {}} in a message stands for an argument, and a throwable as the last argument adds
 * its stack trace. A logger never blocks and never throws. If lines arrive faster than the tracker
 * stores them, some are dropped; a WARN line in their place reports how many. Thread-safe.
 */
public interface JobLogger {

  /** Adds a line of level DEBUG. */
  void debug(String message, @Nullable Object... arguments);

  /** Adds a line of level INFO. */
  void info(String message, @Nullable Object... arguments);

  /** Adds a line of level WARN. */
  void warn(String message, @Nullable Object... arguments);

  /** Adds a line of level ERROR; a throwable as the last argument adds its stack trace. */
  void error(String message, @Nullable Object... arguments);
}
