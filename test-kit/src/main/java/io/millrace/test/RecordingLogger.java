package io.millrace.test;

import io.millrace.tasktracker.JobLogger;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.helpers.MessageFormatter;

/** Writes what a handler logs into a list. Thread-safe if the list is. */
record RecordingLogger(List<String> lines) implements JobLogger {

  @Override
  public void debug(String message, @Nullable Object... arguments) {
    write("DEBUG", message, arguments);
  }

  @Override
  public void info(String message, @Nullable Object... arguments) {
    write("INFO", message, arguments);
  }

  @Override
  public void warn(String message, @Nullable Object... arguments) {
    write("WARN", message, arguments);
  }

  @Override
  public void error(String message, @Nullable Object... arguments) {
    write("ERROR", message, arguments);
  }

  private void write(String level, String message, @Nullable Object[] arguments) {
    var formatted = MessageFormatter.arrayFormat(message, arguments);
    Throwable thrown = formatted.getThrowable();
    lines.add(level + " " + formatted.getMessage() + (thrown == null ? "" : ": " + thrown));
  }
}
