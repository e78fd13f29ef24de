package io.millrace.tasktracker.internal.text;

import java.io.PrintWriter;
import java.io.Writer;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Formats stack traces as bounded text. A cut text still contains the causes. */
public final class StackTraceText {
  private static final int MAX_CAUSES = 5;
  private static final int MAX_CAUSE_CHARS = 200;

  private StackTraceText() {}

  /**
   * Returns the stack trace. If it is too long, returns its beginning and one line for each of the
   * first causes.
   */
  public static String of(Throwable thrown, int maxChars) {
    try {
      BoundedWriter trace = new BoundedWriter(maxChars + 1);
      thrown.printStackTrace(new PrintWriter(trace));
      String text = trace.toString();
      if (text.length() <= maxChars) {
        return text;
      }
      String causes = causesOf(thrown);
      String head = BoundedText.cut(text, Math.max(2, maxChars - causes.length()));
      return BoundedText.cut(head + causes, maxChars);
    } catch (Throwable unprintable) {
      // The job's own exception class may fail in getMessage, or memory may be exhausted. The name
      // of the class is still useful.
      return BoundedText.cut(thrown.getClass().getName(), maxChars);
    }
  }

  private static String causesOf(Throwable thrown) {
    Set<Throwable> seen = Collections.newSetFromMap(new IdentityHashMap<>());
    StringBuilder text = new StringBuilder();
    @Nullable Throwable cause = thrown.getCause();
    while (cause != null && seen.add(cause) && seen.size() <= MAX_CAUSES) {
      text.append("\nCaused by: ").append(BoundedText.cut(cause.toString(), MAX_CAUSE_CHARS));
      cause = cause.getCause();
    }
    return text.toString();
  }

  /**
   * Keeps the beginning of the text and discards the rest, so that a message of any size uses
   * little memory.
   */
  private static final class BoundedWriter extends Writer {
    private final StringBuilder kept = new StringBuilder();
    private final int maxChars;

    BoundedWriter(int maxChars) {
      this.maxChars = maxChars;
    }

    @Override
    public void write(char[] buffer, int offset, int length) {
      kept.append(buffer, offset, Math.min(length, maxChars - kept.length()));
    }

    @Override
    public void write(String text, int offset, int length) {
      kept.append(text, offset, offset + Math.min(length, maxChars - kept.length()));
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}

    @Override
    public String toString() {
      return kept.toString();
    }
  }
}
