package io.millrace.internal.logging;

import io.millrace.internal.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Limits the log lines that peers can cause: one per second for each kind, {@value #MAX_LINES} per
 * second for all kinds together. The next line of a kind says how many were left out. Thread-safe.
 */
public final class LogLimiter {

  /** Lines of all kinds together per second. */
  public static final int MAX_LINES = 20;

  private static final long INTERVAL_NANOS = Duration.ofSeconds(1).toNanos();

  /** Kinds that are remembered; the least recently used one is removed first. */
  private static final int MAX_KINDS = 1_000;

  private final Clock clock;
  private final Map<String, Kind> kinds =
      new LinkedHashMap<>(16, 0.75f, /* accessOrder= */ true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Kind> eldest) {
          boolean isOneTooMany = size() > MAX_KINDS;
          if (isOneTooMany) {
            leftOutOfForgotten += eldest.getValue().leftOut;
          }
          return isOneTooMany;
        }
      };
  private long leftOutOfForgotten;
  private long secondBegan;
  private int linesInSecond;

  private static final class Kind {
    private boolean isNew = true;
    private long loggedAt;
    private long leftOut;
  }

  public LogLimiter(Clock clock) {
    this.clock = clock;
    this.secondBegan = clock.nanoTime();
  }

  /**
   * Writes a line, or counts it.
   *
   * @param kind what the line is about: the reason and the address, without the parts that differ
   *     each time
   * @param line writes the line and appends the given text: empty, or how many lines were left out
   */
  public void write(String kind, Consumer<String> line) {
    String ending = admit(kind);
    if (ending != null) {
      line.accept(ending);
    }
  }

  /** The text that ends the line; null if the line must not be written. */
  private synchronized @Nullable String admit(String name) {
    long now = clock.nanoTime();
    Kind kind = kinds.computeIfAbsent(name, unused -> new Kind());
    boolean isTooSoon = !kind.isNew && now - kind.loggedAt < INTERVAL_NANOS;
    if (isTooSoon || !hasRoom(now)) {
      kind.leftOut++;
      return null;
    }
    linesInSecond++;
    String ending = ending(kind.leftOut);
    kind.isNew = false;
    kind.loggedAt = now;
    kind.leftOut = 0;
    leftOutOfForgotten = 0;
    return ending;
  }

  private boolean hasRoom(long now) {
    if (now - secondBegan >= INTERVAL_NANOS) {
      secondBegan = now;
      linesInSecond = 0;
    }
    return linesInSecond < MAX_LINES;
  }

  private String ending(long leftOut) {
    String ofKind = leftOut == 0 ? "" : " (" + leftOut + " similar lines were left out)";
    return leftOutOfForgotten == 0
        ? ofKind
        : ofKind + " (" + leftOutOfForgotten + " other lines were left out)";
  }
}
