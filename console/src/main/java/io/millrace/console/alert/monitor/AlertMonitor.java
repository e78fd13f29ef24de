package io.millrace.console.alert.monitor;

import io.millrace.internal.model.Assignment;
import io.millrace.jobtracker.domain.lease.GroupStats;
import io.millrace.jobtracker.domain.outcome.CauseWords;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.store.TrackerStore.Tracker;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Collects events and conditions, and decides when a message is due. All of it is in memory and
 * bounded: one entry for each kind and node group that has something to report. Callers that report
 * events and conditions never wait. Thread-safe.
 */
final class AlertMonitor {
  /** The most kinds and node groups kept at a time; events beyond that are counted as lost. */
  static final int MOST_INCIDENTS = 4_000;

  private static final Logger LOG = LoggerFactory.getLogger(AlertMonitor.class);

  private final AlertRules rules;
  private final String tracker;
  private final HourlyBudget budget;
  private final Map<Topic, Incident> incidents = new LinkedHashMap<>();
  private long written;
  private long notTakenIn;
  private boolean held;
  private boolean closed;

  private record Topic(AlertKind kind, @Nullable String nodeGroup) {}

  /**
   * @param tracker address of this tracker, used in the messages
   */
  public AlertMonitor(AlertRules rules, String tracker) {
    this.rules = rules;
    this.tracker = tracker;
    this.budget = new HourlyBudget(rules.maxPerHour());
  }

  // What is reported to the monitor.

  /** Reports the end of an execution or of a trigger. */
  public void ended(LedgerEntry row) {
    if (row.status() == LedgerStatus.DEAD && rules.reports(AlertKind.DEAD, row.nodeGroup())) {
      dead(row);
    }
  }

  private synchronized void dead(LedgerEntry row) {
    if (closed) {
      LOG.warn("alerts: no message reports that {} of {} ended DEAD", row.key(), row.nodeGroup());
      return;
    }
    find(AlertKind.DEAD, row.nodeGroup(), row.instants())
        .ifPresent(
            incident ->
                incident.happened(
                    row.times().finishedAt(),
                    row.instants(),
                    0,
                    () ->
                        new AlertExample(
                            row.key().taskId(),
                            Instant.ofEpochMilli(row.times().finishedAt()),
                            why(CauseWords.english(row.cause()), row.message()))));
  }

  private static @Nullable String why(@Nullable String cause, @Nullable String message) {
    List<String> known = Stream.of(cause, message).filter(text -> text != null).toList();
    return known.isEmpty() ? null : String.join(": ", known);
  }

  /** Reports that executions were handed to a worker. */
  public void handedOut(String nodeGroup, List<Assignment> assignments, long now) {
    long threshold = now - rules.lateAfter().toMillis();
    List<Assignment> late = null;
    for (Assignment assignment : assignments) {
      if (assignment.dueAt().toEpochMilli() < threshold) {
        late = late == null ? new ArrayList<>() : late;
        late.add(assignment);
      }
    }
    if (late != null && rules.reports(AlertKind.LATE, nodeGroup)) {
      handedOutLate(nodeGroup, late, now);
    }
  }

  private synchronized void handedOutLate(String nodeGroup, List<Assignment> late, long now) {
    Incident incident = find(AlertKind.LATE, nodeGroup, late.size()).orElse(null);
    if (incident == null) {
      return;
    }
    for (Assignment assignment : late) {
      long lateBy = now - assignment.dueAt().toEpochMilli();
      incident.happened(
          now,
          1,
          lateBy,
          () ->
              new AlertExample(
                  assignment.taskId(),
                  Instant.ofEpochMilli(now),
                  "was due at %s, assigned %s late"
                      .formatted(assignment.dueAt(), AlertWords.time(Duration.ofMillis(lateBy)))));
    }
  }

  /** Reports the figures of a node group that this tracker serves. */
  public synchronized void counted(String nodeGroup, GroupStats stats, long now) {
    long backlog = stats.backlog().due();
    Incident.Evidence evidence = new Incident.Evidence(backlog, stats.oldestDueAge(), null);
    boolean unattended = stats.workers() == 0 && backlog > 0;
    look(AlertKind.NO_WORKER, nodeGroup, unattended, evidence, now);
    boolean late = stats.oldestDueAge() > rules.lateAfter().toMillis();
    // One cause, one message: triggers that wait for missing workers are late for that reason.
    boolean reportedAsNoWorker = late && unattended && rules.noWorkerComesFirst();
    if (!reportedAsNoWorker || isStanding(AlertKind.LATE, nodeGroup)) {
      look(AlertKind.LATE, nodeGroup, late, evidence, now);
    }
  }

  private boolean isStanding(AlertKind kind, String nodeGroup) {
    Incident known = incidents.get(new Topic(kind, nodeGroup));
    return known != null && known.isStanding();
  }

  /**
   * These are the node groups that this tracker serves. The tracker that serves the other groups
   * now watches them, and reports conditions that still hold.
   */
  public synchronized void serves(Collection<String> nodeGroups, long now) {
    incidents.forEach(
        (topic, incident) -> {
          if (topic.nodeGroup() != null && !nodeGroups.contains(topic.nodeGroup())) {
            incident.leave(now);
          }
        });
  }

  /** Reports the health of this tracker; {@code trouble} is null if it is healthy. */
  public synchronized void healthIs(@Nullable String trouble, long now) {
    look(
        AlertKind.TRACKER_TROUBLE,
        null,
        trouble != null,
        new Incident.Evidence(null, 0, trouble),
        now);
  }

  /** Reports that the lease of another tracker ran out, which the tracker had not ended itself. */
  public synchronized void trackerGone(Tracker gone, long now) {
    if (rules.reports(AlertKind.TRACKER_GONE, null)) {
      String which =
          "tracker %d at %s did not renew its lease; other trackers take over its node groups"
              .formatted(gone.number(), gone.address());
      find(AlertKind.TRACKER_GONE, null, 1)
          .ifPresent(
              incident ->
                  incident.happened(
                      now,
                      1,
                      0,
                      () ->
                          new AlertExample(null, Instant.ofEpochMilli(gone.leaseUntil()), which)));
    }
  }

  private void look(
      AlertKind kind,
      @Nullable String nodeGroup,
      boolean stands,
      Incident.Evidence evidence,
      long now) {
    if (!stands) {
      Incident known = incidents.get(new Topic(kind, nodeGroup));
      if (known != null) {
        known.clear(now);
      }
    } else if (rules.reports(kind, nodeGroup)) {
      find(kind, nodeGroup, 0).ifPresent(incident -> incident.stands(now, evidence));
    }
  }

  private Optional<Incident> find(AlertKind kind, @Nullable String nodeGroup, long times) {
    Topic topic = new Topic(kind, nodeGroup);
    Incident known = incidents.get(topic);
    if (known == null && incidents.size() >= MOST_INCIDENTS) {
      notTakenIn += times;
      return Optional.empty();
    }
    if (known == null) {
      known = new Incident(kind, nodeGroup, rules);
      incidents.put(topic, known);
    }
    return Optional.of(known);
  }

  // What the monitor reports.

  /**
   * The messages that are due.
   *
   * @param messages in the order in which they became due
   * @param lost events that happened and that no message will report
   */
  public record Due(List<AlertMessage> messages, long lost) {}

  /** Returns the messages that are due; the caller has to deliver them. */
  public synchronized Due runOnce(long now) {
    List<AlertMessage> messages = write(now, false);
    incidents.values().removeIf(incident -> incident.isOver(now));
    return new Due(messages, takeNotTakenIn());
  }

  /** Returns everything left to report, regardless of window and repeat: no later call follows. */
  public synchronized Due last(long now) {
    serves(List.of(), now);
    List<AlertMessage> messages = write(now, true);
    long unreported = incidents.values().stream().mapToLong(Incident::unreported).sum();
    incidents.clear();
    closed = true;
    return new Due(messages, unreported + takeNotTakenIn());
  }

  private List<AlertMessage> write(long now, boolean last) {
    List<AlertMessage> messages = new ArrayList<>();
    for (Incident incident : incidents.values()) {
      AlertPhase phase = incident.due(now, last);
      if (phase == null) {
        continue;
      }
      if (!budget.spend(now)) {
        hold();
        return messages;
      }
      held = false;
      messages.add(incident.report(phase, nextId(now), tracker, now));
    }
    return messages;
  }

  /** Keeps collecting what cannot be reported now; logs that once. */
  private void hold() {
    if (!held) {
      LOG.warn(
          "alerts: the limit of {} messages in an hour is reached; further alerts are delayed",
          rules.maxPerHour());
      held = true;
    }
  }

  private String nextId(long now) {
    written++;
    return tracker + "-" + Long.toString(now, 36) + "-" + written;
  }

  private long takeNotTakenIn() {
    long lost = notTakenIn;
    notTakenIn = 0;
    return lost;
  }
}
