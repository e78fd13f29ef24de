package io.millrace.console.alert.monitor;

import io.millrace.jobtracker.store.WaitingStore;
import io.millrace.jobtracker.store.WaitingStore.Level;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Names the oldest waiting triggers, for messages about a node group whose triggers wait. Costs one
 * index step for each priority that has rows, and reads as many rows as there are examples.
 * Thread-safe.
 */
final class OldestWaiting {
  private static final Logger LOG = LoggerFactory.getLogger(OldestWaiting.class);

  private final WaitingStore waiting;
  private final int most;

  /**
   * @param most how many triggers are named
   */
  public OldestWaiting(WaitingStore waiting, int most) {
    this.waiting = waiting;
    this.most = most;
  }

  /**
   * Returns the message with the oldest waiting triggers as its examples, if it is about waiting
   * triggers and has no examples yet. Otherwise, and if the store does not answer, returns it
   * unchanged.
   */
  public AlertMessage name(AlertMessage message, long now) {
    String group = message.nodeGroup();
    if (group == null || message.backlog() == null || !message.examples().isEmpty() || most == 0) {
      return message;
    }
    try {
      return message.withExamples(read(group, now));
    } catch (RuntimeException e) {
      LOG.warn("alerts: the waiting triggers of {} cannot be read now", group, e);
      return message;
    }
  }

  private List<AlertExample> read(String group, long now) {
    Level oldest = oldestLevel(group);
    return oldest == null
        ? List.of()
        : waiting.readDue(group, oldest.number(), Long.MIN_VALUE, now, most).stream()
            .map(
                row ->
                    new AlertExample(
                        row.key().taskId(), Instant.ofEpochMilli(row.dueAt()), "is still due"))
            .toList();
  }

  private @Nullable Level oldestLevel(String group) {
    Level oldest = null;
    Optional<Level> level = waiting.nextLevel(group, -1);
    while (level.isPresent()) {
      if (oldest == null || level.get().earliestDueAt() < oldest.earliestDueAt()) {
        oldest = level.get();
      }
      level = waiting.nextLevel(group, level.get().number());
    }
    return oldest;
  }
}
