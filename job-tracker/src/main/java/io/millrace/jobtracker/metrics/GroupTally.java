package io.millrace.jobtracker.metrics;

import io.millrace.internal.model.Assignment;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.store.console.Counts;
import io.millrace.jobtracker.store.console.Counts.Of;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * The counts of one node group since the tracker started, for the counts by minute. Cheap to
 * update; thread-safe.
 */
final class GroupTally {
  private final Map<Of, LongAdder> sums = new EnumMap<>(Of.class);
  private final AtomicLong latest = new AtomicLong();

  GroupTally() {
    for (Of what : Of.values()) {
      sums.put(what, new LongAdder());
    }
  }

  private void add(Of what, long count) {
    LongAdder sum = sums.get(what);
    if (sum != null && count != 0) {
      sum.add(count);
    }
  }

  void planned(long triggers) {
    add(Of.PLANNED, triggers);
  }

  void claimed(int executions) {
    add(Of.CLAIMED, executions);
  }

  void handedOut(List<Assignment> assignments, long now) {
    long max = 0;
    long sum = 0;
    Map<Of, Integer> scale = new EnumMap<>(Of.class);
    for (Assignment assignment : assignments) {
      long late = Math.max(0, now - assignment.dueAt().toEpochMilli());
      max = Math.max(max, late);
      sum += late;
      if (late <= 60_000) {
        scale.merge(step(late), 1, Integer::sum);
      }
    }
    add(Of.STARTED, assignments.size());
    add(Of.LATE_SUM, sum);
    scale.forEach(this::add);
    if (max > latest.get()) {
      long unused = latest.accumulateAndGet(max, Math::max);
    }
  }

  /** The step of the scale for this lateness; the caller leaves out what is later than 60 s. */
  private static Of step(long late) {
    if (late <= 100) {
      return Of.LATE_100MS;
    }
    if (late <= 1_000) {
      return Of.LATE_1S;
    }
    return late <= 10_000 ? Of.LATE_10S : Of.LATE_60S;
  }

  void ran(long nanos) {
    add(Of.RAN, 1);
    add(Of.RUN_SUM, TimeUnit.NANOSECONDS.toMillis(nanos));
  }

  /** A row for a run of instants counts as that many triggers. */
  void ended(LedgerEntry row) {
    switch (row.status()) {
      case SUCCEEDED -> add(Of.SUCCEEDED, row.instants());
      case FAILED -> add(Of.FAILED, row.instants());
      case DEAD -> add(Of.DEAD, row.instants());
      case CANCELLED -> add(Of.CANCELLED, row.instants());
      case SKIPPED -> add(Of.SKIPPED, row.instants());
      case RETRIED -> add(Of.RETRIED, 1);
      case RESCUED -> add(Of.RESCUED, 1);
      case POSTPONED, RETURNED -> add(Of.GIVEN_BACK, 1);
    }
  }

  /** All counts; the maximum is that of the time since the last call. */
  Counts takeCounts() {
    Map<Of, Long> counted = new EnumMap<>(Of.class);
    sums.forEach((what, sum) -> counted.put(what, sum.sum()));
    counted.put(Of.LATE_MAX, latest.getAndSet(0));
    return new Counts(counted);
  }
}
