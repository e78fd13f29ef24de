package io.millrace.jobtracker.complete;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Results that could not be stored although the store was available. Each is held back for a pause
 * that doubles with each failure, so that it does not split every batch that contains it; its
 * worker keeps the result meanwhile. Times are monotonic, in milliseconds. The number of entries is
 * bounded: beyond {@value #MAX_KEPT}, the entry with the oldest failure is removed, which costs one
 * more try. Thread-safe.
 */
final class UnstorableResults {
  static final int MAX_KEPT = 1_000;
  static final long FIRST_PAUSE_MILLIS = 1_000;
  static final long LONGEST_PAUSE_MILLIS = 60_000;

  private static final Logger LOG = LoggerFactory.getLogger(UnstorableResults.class);

  private record Pause(long length, long until) {
    static Pause after(@Nullable Pause before, long now) {
      long length =
          before == null ? FIRST_PAUSE_MILLIS : Math.min(2 * before.length, LONGEST_PAUSE_MILLIS);
      return new Pause(length, now + length);
    }
  }

  private final Map<Long, Pause> pauses = new LinkedHashMap<>();

  /** Whether it is too early to retry to store the result of this execution. */
  synchronized boolean isKeptBack(long executionId, long now) {
    Pause pause = pauses.get(executionId);
    return pause != null && now < pause.until();
  }

  synchronized void failed(long executionId, Throwable why, long now) {
    Pause before = pauses.remove(executionId);
    Pause pause = Pause.after(before, now);
    pauses.put(executionId, pause);
    if (pauses.size() > MAX_KEPT) {
      pauses.remove(pauses.keySet().iterator().next());
    }
    if (before == null) {
      LOG.error("complete: the result of execution {} cannot be stored", executionId, why);
    } else {
      LOG.warn(
          "complete: the result of execution {} still cannot be stored; retrying in {} ms: {}",
          executionId,
          pause.length(),
          why.toString());
    }
  }

  synchronized void stored(long executionId) {
    pauses.remove(executionId);
  }
}
