package io.millrace.jobtracker.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.millrace.internal.model.Assignment;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The meters of one node group. All possible ends of a trigger are registered at once, so that the
 * first end of a kind is seen as a rise. Thread-safe.
 */
final class GroupMeters {
  private static final String GROUP = "group";
  private static final String HANDLER = "handler";
  private static final String OUTCOME = "outcome";

  private final MeterRegistry registry;
  private final String group;
  private final HandlerNames names;
  private final Counter planned;
  private final Counter claimed;
  private final Timer lateness;
  private final Timer loads;
  private final Map<LedgerStatus, Counter> triggerEnds = new EnumMap<>(LedgerStatus.class);
  private final Map<String, HandlerMeters> handlers = new ConcurrentHashMap<>();
  private final GroupTally tally = new GroupTally();

  GroupMeters(MeterRegistry registry, String group, HandlerNames names) {
    this.registry = registry;
    this.group = group;
    this.names = names;
    this.planned = counter("millrace.triggers.planned", "triggers generated");
    this.claimed = counter("millrace.executions.claimed", "executions claimed for workers");
    this.lateness =
        Timer.builder("millrace.lateness")
            .serviceLevelObjectives(Scales.LATENESS)
            .tag(GROUP, group)
            .description("time from when an attempt was due until it was assigned to a worker")
            .register(registry);
    this.loads =
        Timer.builder("millrace.preload.time")
            .tag(GROUP, group)
            .description("duration of loads of the head of the waiting queue")
            .register(registry);
    Arrays.stream(LedgerStatus.values())
        .filter(LedgerStatus::isFinal)
        .forEach(status -> triggerEnds.put(status, triggerEnds(status)));
  }

  private Counter counter(String name, String description) {
    return Counter.builder(name).tag(GROUP, group).description(description).register(registry);
  }

  private Counter triggerEnds(LedgerStatus status) {
    return Counter.builder("millrace.triggers.ended")
        .tags(GROUP, group, OUTCOME, nameOf(status))
        .description("triggers that have ended")
        .register(registry);
  }

  void planned(long triggers) {
    planned.increment((double) triggers);
    tally.planned(triggers);
  }

  void claimed(int executions) {
    claimed.increment(executions);
    tally.claimed(executions);
  }

  void handedOut(List<Assignment> assignments, long now) {
    for (Assignment assignment : assignments) {
      long late = Math.max(0, now - assignment.dueAt().toEpochMilli());
      lateness.record(late, TimeUnit.MILLISECONDS);
    }
    tally.handedOut(assignments, now);
  }

  void loaded(long nanos) {
    loads.record(nanos, TimeUnit.NANOSECONDS);
  }

  void ran(@Nullable String handler, long nanos) {
    of(handler).runTime.record(nanos, TimeUnit.NANOSECONDS);
    tally.ran(nanos);
  }

  /** The source of the counts by minute. */
  GroupTally tally() {
    return tally;
  }

  /** A row without a claim belongs to a trigger, or to a run of instants, that never ran. */
  void ended(LedgerEntry row) {
    Counter ofTriggers = triggerEnds.get(row.status());
    if (ofTriggers != null) {
      ofTriggers.increment((double) row.instants());
    }
    if (row.times().claimedAt() != null) {
      of(row.origin().handler()).ended(row.status()).increment();
    }
    tally.ended(row);
  }

  private HandlerMeters of(@Nullable String handler) {
    String key = handler == null ? "" : handler;
    HandlerMeters known = handlers.get(key);
    return known == null ? ofNew(key) : known;
  }

  /** Handlers without a name of their own share one set of meters, and are not remembered. */
  private HandlerMeters ofNew(String handler) {
    String name = names.nameFor(handler, handlers.size());
    String key = name.equals(HandlerNames.OTHER) ? HandlerNames.OTHER : handler;
    return handlers.computeIfAbsent(key, unused -> new HandlerMeters(name));
  }

  private static String nameOf(LedgerStatus status) {
    return status.name().toLowerCase(Locale.ROOT);
  }

  /** The meters of one handler, or of all handlers that have no name of their own. */
  private final class HandlerMeters {
    private final String name;
    private final Timer runTime;
    private final Map<LedgerStatus, Counter> ends = new ConcurrentHashMap<>();

    HandlerMeters(String name) {
      this.name = name;
      this.runTime =
          Timer.builder("millrace.run.time")
              .serviceLevelObjectives(Scales.RUN_TIME)
              .tags(GROUP, group, HANDLER, name)
              .description("run time of invocations, by the clocks of their workers")
              .register(registry);
    }

    Counter ended(LedgerStatus status) {
      Counter known = ends.get(status);
      return known == null ? ends.computeIfAbsent(status, this::counterOf) : known;
    }

    private Counter counterOf(LedgerStatus status) {
      return Counter.builder("millrace.executions.ended")
          .tags(GROUP, group, HANDLER, name, OUTCOME, nameOf(status))
          .description("executions ended")
          .register(registry);
    }
  }
}
