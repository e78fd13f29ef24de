package io.millrace.tasktracker;

import org.jspecify.annotations.Nullable;

/**
 * The log of one attempt, kept by the tracker beside its history. Messages take {@code {}} for
 * their arguments, and a throwable as last argument adds its stack trace, as SLF4J does. Never
 * blocks and never throws: when lines come faster than the tracker takes them, some are dropped,
 * and a WARN line in their place says how many. Thread-safe.
 */
public interface JobLogger {

  void debug(String message, @Nullable Object... arguments);

  void info(String message, @Nullable Object... arguments);

  void warn(String message, @Nullable Object... arguments);

  void error(String message, @Nullable Object... arguments);
}
