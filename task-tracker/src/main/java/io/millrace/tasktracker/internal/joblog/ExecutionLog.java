package io.millrace.tasktracker.internal.joblog;

import io.millrace.internal.model.LogLevel;
import io.millrace.internal.protocol.LogLine;
import io.millrace.tasktracker.internal.text.BoundedText;
import io.millrace.tasktracker.internal.text.StackTraceText;
import org.jspecify.annotations.Nullable;
import org.slf4j.helpers.FormattingTuple;
import org.slf4j.helpers.MessageFormatter;

/**
 * The log of one execution. Each execution has its own log, so that a line never gets the id of
 * another execution, whichever thread writes it.
 *
 * <p>Thread-safe.
 */
public final class ExecutionLog {

  /** Receives the formatted lines. */
  interface Sink {
    void line(LogStream stream, LogLevel level, String text);
  }

  private final LogStream stream;
  private final Sink sink;

  ExecutionLog(long executionId, Sink sink) {
    this.stream = new LogStream(executionId);
    this.sink = sink;
  }

  /**
   * Writes a line. As in SLF4J, {@code {}} in the message stands for an argument, and a throwable
   * as the last argument adds its stack trace.
   */
  public void write(LogLevel level, String message, @Nullable Object... arguments) {
    FormattingTuple formatted = MessageFormatter.arrayFormat(message, arguments);
    String text = String.valueOf(formatted.getMessage());
    Throwable thrown = formatted.getThrowable();
    if (thrown != null) {
      text = text + "\n" + StackTraceText.of(thrown, LogLine.MAX_TEXT_CHARS);
    }
    sink.line(stream, level, BoundedText.cut(text, LogLine.MAX_TEXT_CHARS));
  }
}
