package io.millrace.console.alert.monitor;

import io.millrace.console.alert.monitor.AlertCounts.Outcome;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Delivers messages to one receiver, in order. Retries a message that was not accepted, a bounded
 * number of times and after growing pauses. Counts the messages that it gives up, and reports their
 * number with the next message that is accepted. Driven by one timer, which never overlaps itself;
 * otherwise thread-safe.
 */
public final class AlertSender {
  /** The most messages that wait for the receiver; beyond that the oldest are given up. */
  static final int MOST_WAITING = 100;

  /** Attempts to deliver one message, about ten minutes from the first to the last. */
  static final int MOST_ATTEMPTS = 8;

  private static final Duration FIRST_PAUSE = Duration.ofSeconds(5);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(5);
  private static final Logger LOG = LoggerFactory.getLogger(AlertSender.class);

  private final AlertReceiver receiver;
  private final AlertCounts counts;
  private final Deque<AlertMessage> waiting = new ArrayDeque<>();
  private long undelivered;
  private int attempts;
  private long notBefore = Spans.NEVER;

  public AlertSender(AlertReceiver receiver, AlertCounts counts) {
    this.receiver = receiver;
    this.counts = counts;
  }

  /** The name of the receiver, for the log. */
  public String receiver() {
    return receiver.name();
  }

  /** Adds messages to deliver. */
  public synchronized void take(List<AlertMessage> messages) {
    for (AlertMessage message : messages) {
      if (waiting.size() >= MOST_WAITING) {
        giveUp(waiting.removeFirst(), "the limit of waiting messages is reached");
        attempts = 0;
      }
      waiting.addLast(message);
    }
  }

  /** Records events that no message reports. */
  public synchronized void missed(long events) {
    if (events > 0) {
      LOG.warn("alerts: {} events are not reported to {}", events, receiver.name());
      undelivered += events;
      counts.count(receiver.type(), Outcome.DROPPED, events);
    }
  }

  /**
   * Delivers the waiting messages until the receiver does not accept one. Returns how many it
   * accepted.
   *
   * @param now epoch milliseconds; nothing is delivered before the pause after a failure is over
   */
  public int runOnce(long now) {
    int taken = 0;
    AlertMessage next = next(now);
    while (next != null && carry(next, now)) {
      taken++;
      next = next(now);
    }
    return taken;
  }

  /** Tries once more regardless of the pause, and gives up the rest: no later call follows. */
  public void last(long now) {
    synchronized (this) {
      notBefore = Spans.NEVER;
    }
    int unused = runOnce(now);
    synchronized (this) {
      while (!waiting.isEmpty()) {
        giveUp(waiting.removeFirst(), "the tracker is stopping");
      }
    }
  }

  private synchronized @Nullable AlertMessage next(long now) {
    return notBefore > now ? null : waiting.peekFirst();
  }

  /** Returns whether to go on with the next message. */
  private boolean carry(AlertMessage message, long now) {
    long before;
    synchronized (this) {
      before = undelivered;
    }
    try {
      receiver.deliver(message, before);
    } catch (DeliveryException e) {
      failed(message, e.getMessage(), e.isWorthRepeating(), now);
      return false;
    } catch (RuntimeException e) {
      LOG.warn("alerts: {} failed", receiver.name(), e);
      failed(message, String.valueOf(e), true, now);
      return false;
    }
    counts.count(receiver.type(), Outcome.SENT, 1);
    taken(message, before);
    return true;
  }

  private synchronized void taken(AlertMessage message, long reported) {
    boolean unused = waiting.remove(message);
    undelivered -= reported;
    attempts = 0;
    notBefore = Spans.NEVER;
  }

  private synchronized void failed(
      AlertMessage message, @Nullable String why, boolean again, long now) {
    counts.count(receiver.type(), Outcome.FAILED, 1);
    attempts++;
    Duration pause = pauseAfter(attempts);
    notBefore = now + pause.toMillis();
    if (!waiting.contains(message)) {
      // The message was given up meanwhile, to make room for later ones.
      attempts = 0;
      return;
    }
    if (again && attempts < MOST_ATTEMPTS) {
      LOG.warn(
          "alerts: {} did not accept {} (attempt {} of {}, next attempt in {}): {}",
          receiver.name(),
          message.id(),
          attempts,
          MOST_ATTEMPTS,
          AlertWords.time(pause),
          why);
    } else {
      waiting.removeFirst();
      attempts = 0;
      giveUp(message, String.valueOf(why));
    }
  }

  private void giveUp(AlertMessage message, String why) {
    undelivered++;
    counts.count(receiver.type(), Outcome.DROPPED, 1);
    LOG.error(
        "alerts: a message to {} was dropped, because {}: {}",
        receiver.name(),
        why,
        AlertWords.headline(message));
  }

  private static Duration pauseAfter(int attempts) {
    Duration pause = FIRST_PAUSE.multipliedBy(1L << (attempts - 1));
    return pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE;
  }
}
