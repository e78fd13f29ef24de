package io.millrace.jobtracker.alert;

import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one kind and one node group: what happened since the message before, whether
 * something stands, and when what was told of it. Not thread-safe: {@link AlertMonitor} guards it.
 */
final class Incident {
  private final AlertKind kind;
  private final @Nullable String nodeGroup;
  private final AlertRules rules;
  private Gathered gathered;
  private @Nullable Standing standing;
  private @Nullable Ended ended;
  private long toldAt = Spans.NEVER;

  /**
   * What was seen last of what stands.
   *
   * @param backlog due triggers that wait; null if that is not what it is about
   * @param oldestAge for how long the first of them has been due, in milliseconds
   * @param detail what is known beside that
   */
  record Evidence(@Nullable Long backlog, long oldestAge, @Nullable String detail) {
    static final Evidence NONE = new Evidence(null, 0, null);
  }

  /** What stands now. */
  private static final class Standing {
    final long since;
    long seen;
    boolean told;
    Evidence evidence = Evidence.NONE;

    Standing(long since) {
      this.since = since;
    }
  }

  /** That something that was told does not stand any more, which is to be told as well. */
  private record Ended(AlertPhase phase, long since, long until) {}

  Incident(AlertKind kind, @Nullable String nodeGroup, AlertRules rules) {
    this.kind = kind;
    this.nodeGroup = nodeGroup;
    this.rules = rules;
    this.gathered = new Gathered(rules.examples());
  }

  /**
   * Something happened.
   *
   * @param lateBy milliseconds; 0 if it is not about lateness
   * @param example asked for only if there is room for it
   */
  void happened(long at, long times, long lateBy, Supplier<AlertExample> example) {
    gathered.happened(at, times, lateBy, example);
  }

  /** Something stands, as this shows. */
  void stands(long now, Evidence evidence) {
    if (standing == null) {
      Ended before = ended;
      standing = new Standing(before == null ? now : before.since);
      // That it was over is not told yet, and is not so any more.
      standing.told = before != null;
      ended = null;
    }
    standing.seen = now;
    standing.evidence = evidence;
  }

  /** Nothing stands. What was told is over only when that has been so for a while. */
  void clear(long now) {
    Standing was = standing;
    if (was == null || (was.told && !Spans.passed(was.seen, now, rules.window()))) {
      return;
    }
    standing = null;
    if (was.told) {
      ended = new Ended(AlertPhase.OVER, was.since, was.seen);
    } else if (Spans.passed(was.since, was.seen, rules.patience(kind))) {
      gathered.stood(was.since, was.seen);
    }
  }

  /** Whatever stands is for another to watch. */
  void leave(long now) {
    Standing was = standing;
    standing = null;
    if (was != null && was.told) {
      ended = new Ended(AlertPhase.LEFT, was.since, now);
    }
  }

  boolean isStanding() {
    return standing != null;
  }

  /** Whether there is nothing to remember of it. */
  boolean isOver(long now) {
    return standing == null
        && ended == null
        && gathered.isEmpty()
        && Spans.passed(toldAt, now, rules.repeat());
  }

  /** How much was gathered that no message has told. */
  long untold() {
    return gathered.count() + gathered.spells();
  }

  /**
   * What there is to tell now, or null. Nothing changes until it is {@link #told}.
   *
   * @param last whether there will be no later occasion
   */
  @Nullable AlertPhase due(long now, boolean last) {
    if (ended != null) {
      return ended.phase;
    }
    boolean again = Spans.passed(toldAt, now, rules.repeat());
    if (standing != null) {
      boolean lasting = Spans.passed(standing.since, now, rules.patience(kind));
      return lasting && again ? phaseOf(standing) : null;
    }
    boolean ripe = last || (again && Spans.passed(gathered.first(), now, rules.window()));
    return !gathered.isEmpty() && ripe ? AlertPhase.HAPPENED : null;
  }

  private static AlertPhase phaseOf(Standing standing) {
    return standing.told ? AlertPhase.GOES_ON : AlertPhase.BEGAN;
  }

  /** Writes the message that is due, and begins to gather for the next. */
  AlertMessage told(AlertPhase phase, String id, String tracker, long now) {
    AlertMessage message = write(phase, id, tracker, now);
    if (ended == null) {
      toldAt = now;
    }
    if (standing != null) {
      standing.told = true;
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
