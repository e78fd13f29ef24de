package io.millrace.console.alert.monitor;

import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What is known about one kind and one node group: what happened since the previous message,
 * whether a condition holds, and when which of it was reported. Not thread-safe: {@link
 * AlertMonitor} guards it.
 */
final class Incident {
  private final AlertKind kind;
  private final @Nullable String nodeGroup;
  private final AlertRules rules;
  private Gathered gathered;
  private @Nullable Standing standing;
  private @Nullable Ended ended;
  private long reportedAt = Spans.NEVER;

  /**
   * The last observation of a condition that holds.
   *
   * @param backlog due triggers that wait; null if the condition is not about waiting triggers
   * @param oldestAge for how long the first of them has been due, in milliseconds
   * @param detail further information
   */
  record Evidence(@Nullable Long backlog, long oldestAge, @Nullable String detail) {
    static final Evidence NONE = new Evidence(null, 0, null);
  }

  /** A condition that holds now. */
  private static final class Standing {
    final long since;
    long seen;
    boolean reported;
    Evidence evidence = Evidence.NONE;

    Standing(long since) {
      this.since = since;
    }
  }

  /** The end of a condition that was reported; the end is to be reported as well. */
  private record Ended(AlertPhase phase, long since, long until) {}

  Incident(AlertKind kind, @Nullable String nodeGroup, AlertRules rules) {
    this.kind = kind;
    this.nodeGroup = nodeGroup;
    this.rules = rules;
    this.gathered = new Gathered(rules.examples());
  }

  /**
   * Records an event.
   *
   * @param lateBy milliseconds; 0 if the event is not about lateness
   * @param example called only if there is room for an example
   */
  void happened(long at, long times, long lateBy, Supplier<AlertExample> example) {
    gathered.happened(at, times, lateBy, example);
  }

  /** Records that the condition holds, with the latest observation. */
  void stands(long now, Evidence evidence) {
    if (standing == null) {
      Ended before = ended;
      standing = new Standing(before == null ? now : before.since);
      // The end of the condition is not reported yet, and the condition holds again.
      standing.reported = before != null;
      ended = null;
    }
    standing.seen = now;
    standing.evidence = evidence;
  }

  /**
   * Records that the condition does not hold. A reported condition is over only after it has not
   * held for a whole window.
   */
  void clear(long now) {
    Standing was = standing;
    if (was == null || (was.reported && !Spans.passed(was.seen, now, rules.window()))) {
      return;
    }
    standing = null;
    if (was.reported) {
      ended = new Ended(AlertPhase.OVER, was.since, was.seen);
    } else if (Spans.passed(was.since, was.seen, rules.patience(kind))) {
      gathered.stood(was.since, was.seen);
    }
  }

  /** Another tracker watches the node group from now on. */
  void leave(long now) {
    Standing was = standing;
    standing = null;
    if (was != null && was.reported) {
      ended = new Ended(AlertPhase.LEFT, was.since, now);
    }
  }

  boolean isStanding() {
    return standing != null;
  }

  /** Whether nothing about it has to be remembered any more. */
  boolean isOver(long now) {
    return standing == null
        && ended == null
        && gathered.isEmpty()
        && Spans.passed(reportedAt, now, rules.repeat());
  }

  /** The number of events and spells that no message has reported. */
  long unreported() {
    return gathered.count() + gathered.spells();
  }

  /**
   * The message that is due now, or null. Nothing changes until {@link #report} is called.
   *
   * @param last whether no later call follows
   */
  @Nullable AlertPhase due(long now, boolean last) {
    if (ended != null) {
      return ended.phase;
    }
    boolean again = Spans.passed(reportedAt, now, rules.repeat());
    if (standing != null) {
      boolean lasting = Spans.passed(standing.since, now, rules.patience(kind));
      return lasting && again ? phaseOf(standing) : null;
    }
    boolean ripe = last || (again && Spans.passed(gathered.first(), now, rules.window()));
    return !gathered.isEmpty() && ripe ? AlertPhase.HAPPENED : null;
  }

  private static AlertPhase phaseOf(Standing standing) {
    return standing.reported ? AlertPhase.GOES_ON : AlertPhase.BEGAN;
  }

  /** Writes the message that is due, and begins to collect for the next one. */
  AlertMessage report(AlertPhase phase, String id, String tracker, long now) {
    AlertMessage message = write(phase, id, tracker, now);
    if (ended == null) {
      reportedAt = now;
    }
    if (standing != null) {
      standing.reported = true;
    }
    ended = null;
    gathered = new Gathered(rules.examples());
    return message;
  }

  private AlertMessage write(AlertPhase phase, String id, String tracker, long now) {
    Ended over = ended;
    Standing stands = standing;
    long since = gathered.first();
    Long until = gathered.last();
    if (over != null) {
      since = over.since;
      until = over.until;
    } else if (stands != null) {
      since = stands.since;
      until = null;
    }
    Evidence evidence = stands == null ? Evidence.NONE : stands.evidence;
    return new AlertMessage(
        id,
        kind,
        phase,
        nodeGroup,
        tracker,
        Instant.ofEpochMilli(now),
        Instant.ofEpochMilli(since),
        until == null ? null : Instant.ofEpochMilli(until),
        gathered.count(),
        gathered.spells(),
        gathered.worst() == 0 ? null : Duration.ofMillis(gathered.worst()),
        evidence.backlog,
        evidence.backlog == null ? null : Duration.ofMillis(evidence.oldestAge),
        evidence.detail,
        gathered.examples());
  }
}
