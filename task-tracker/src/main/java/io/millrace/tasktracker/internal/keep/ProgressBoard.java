package io.millrace.tasktracker.internal.keep;

import io.millrace.internal.protocol.ExecutionProgress;
import io.millrace.internal.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How far the executions of this worker have come, and what of it is news. Thread-safe. */
public final class ProgressBoard {
  /** The shortest time between two reports on one execution. */
  private static final long PACE_NANOS = Duration.ofSeconds(1).toNanos();

  private static final class Entry {
    private ExecutionProgress latest;
    private boolean isNews = true;
    private long sentAt;

    private Entry(ExecutionProgress latest, long sentAt) {
      this.latest = latest;
      this.sentAt = sentAt;
    }
  }

  private final Clock clock;
  private final Map<Long, Entry> entries = new LinkedHashMap<>();

  public ProgressBoard(Clock clock) {
    this.clock = clock;
  }

  void put(ExecutionProgress progress) {
    synchronized (entries) {
      Entry entry =
          entries.computeIfAbsent(
              progress.executionId(), id -> new Entry(progress, clock.nanoTime() - PACE_NANOS));
      entry.latest = progress;
      entry.isNews = true;
    }
  }

  void remove(long executionId) {
    synchronized (entries) {
      entries.remove(executionId);
    }
  }

  /** Returns the news for the next pull; null if there is none. */
  public @Nullable List<ExecutionProgress> take() {
    long now = clock.nanoTime();
    List<ExecutionProgress> news = new ArrayList<>();
    synchronized (entries) {
      for (Entry entry : entries.values()) {
        if (news.size() < ExecutionProgress.MOST_SHOWN
            && entry.isNews
            && now - entry.sentAt >= PACE_NANOS) {
          entry.isNews = false;
          entry.sentAt = now;
          news.add(entry.latest);
        }
      }
    }
    return news.isEmpty() ? null : news;
  }

  /** Makes everything news again, because a pull failed or another tracker is connected. */
  public void again() {
    synchronized (entries) {
      entries.values().forEach(entry -> entry.isNews = true);
    }
  }
}
