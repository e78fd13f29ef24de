package io.millrace.torture.oracle;

import static io.millrace.torture.oracle.TimeText.at;

import io.millrace.torture.journal.Answer;
import io.millrace.torture.journal.Call;
import io.millrace.torture.load.LoadJob;
import io.millrace.torture.load.Step.Kind;
import io.millrace.torture.load.Timing;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.LongStream;

/**
 * Checks that every instant of an acknowledged schedule has exactly one disposition, from the
 * acknowledgement or the first planned instant to the end of the schedule, and that no other
 * instant has one. A schedule that a client saved counts from its delivery, allowing for the time
 * its request may have been in transit.
 */
final class InstantsCheck implements Check {
  /**
   * The maximum time of a request in transit, behind a held wire or a frozen tracker; the client
   * does not know how long the tracker already had its job.
   */
  private static final long ON_ITS_WAY_MILLIS = 10_000;

  @Override
  public void check(Records records, Findings findings) {
    Map<String, List<LedgerEntry>> ledger = records.ledgerByJob();
    Map<String, List<LiveRow>> live = records.liveByJob();
    records
        .callsByJob()
        .forEach(
            (key, calls) -> {
              LoadJob job = records.stepOf(calls.get(0)).job();
              if (job.timing().isRecurring() && !job.timing().isChained()) {
                Dispositions found =
                    Dispositions.of(
                        job.timing(),
                        ledger.getOrDefault(key, List.of()),
                        live.getOrDefault(key, List.of()));
                compare(job, Span.of(records, job, calls), found, findings);
              }
            });
  }

  /**
   * The range of instants that must have a disposition.
   *
   * @param from the acknowledgement, or when a saved schedule starts to count; later than all
   *     instants if there was none
   * @param to the end of the schedule, or when its cancellation was requested
   * @param isSaved whether the client had saved it, and it was neither rejected on delivery nor
   *     cancelled
   */
  private record Span(long from, long to, boolean isSaved) {
    static Span of(Records records, LoadJob job, List<Call> calls) {
      LongStream acknowledged =
          submits(records, calls).stream()
              .filter(call -> call.answer().isStored() || call.answer() == Answer.DUPLICATE)
              .mapToLong(call -> call.answeredAt() == null ? Long.MAX_VALUE : call.answeredAt());
      OptionalLong cancelled =
          calls.stream()
              .filter(call -> records.stepOf(call).kind() == Kind.CANCEL)
              .mapToLong(Call::askedAt)
              .min();
      long saved =
          submits(records, calls).stream()
              .filter(call -> call.answer() == Answer.SAVED_LOCALLY)
              .mapToLong(call -> Objects.requireNonNull(call.answeredAt()))
              .min()
              .orElse(Long.MAX_VALUE);
      boolean isSaved = saved < Long.MAX_VALUE && !records.isRefusedOnDelivery(job.key());
      long delivered =
          isSaved ? records.storedOnDelivery(job.key()).orElse(Long.MAX_VALUE) : Long.MAX_VALUE;
      long counting =
          delivered == Long.MAX_VALUE ? delivered : Math.min(delivered, saved + ON_ITS_WAY_MILLIS);
      return new Span(
          Math.min(acknowledged.min().orElse(Long.MAX_VALUE), counting),
          Math.min(job.timing().end(), cancelled.orElse(Long.MAX_VALUE)),
          isSaved && cancelled.isEmpty());
    }

    private static List<Call> submits(Records records, List<Call> calls) {
      return calls.stream()
          .filter(call -> Set.of(Kind.SUBMIT, Kind.REPLACE).contains(records.stepOf(call).kind()))
          .toList();
    }
  }

  /** How many dispositions each instant of a job has, and the rows that cannot be counted. */
  private record Dispositions(TreeMap<Long, Integer> counts, List<String> strange) {
    static Dispositions of(Timing timing, List<LedgerEntry> ledger, List<LiveRow> live) {
      Dispositions found = new Dispositions(new TreeMap<>(), new ArrayList<>());
      ledger.stream()
          .filter(row -> row.isFinal() && row.ordinal() == 0)
          .forEach(row -> found.add(timing, row));
      live.stream()
          .filter(row -> row.ordinal() == 0)
          .forEach(row -> found.counts.putIfAbsent(row.plannedAt(), 1));
      return found;
    }

    private void add(Timing timing, LedgerEntry row) {
      if (row.instants() == 1) {
        if (!timing.mayPlan(row.plannedFor())) {
          strange.add("%d for %s".formatted(row.id(), at(row.plannedFor())));
        }
        counts.merge(row.plannedFor(), 1, Integer::sum);
        return;
      }
      List<Long> grid = timing.grid(row.plannedFor(), row.plannedTo() + 1).boxed().toList();
      if (grid.size() != row.instants()) {
        strange.add(
            "%d for %d instants from %s to %s, where the schedule has %d"
                .formatted(
                    row.id(),
                    row.instants(),
                    at(row.plannedFor()),
                    at(row.plannedTo()),
                    grid.size()));
      }
      grid.forEach(instant -> counts.merge(instant, 1, Integer::sum));
    }
  }

  private static void compare(LoadJob job, Span span, Dispositions found, Findings findings) {
    found
        .strange()
        .forEach(
            row ->
                findings.broken(
                    Promise.EARLY,
                    "%s has a row that its schedule does not have: %s".formatted(job.key(), row)));
    found
        .counts()
        .forEach(
            (instant, count) -> {
              if (count > 1) {
                findings.broken(
                    Promise.ACCEPTED_TWICE,
                    "%s has %d dispositions of %s".formatted(job.key(), count, at(instant)));
              }
            });
    long first = found.counts().isEmpty() ? Long.MAX_VALUE : found.counts().firstKey();
    missing(job, Math.min(first, span.from()), span.to(), found, findings);
    if (found.counts().isEmpty() && span.isSaved() && span.from() == Long.MAX_VALUE) {
      findings.broken(
          Promise.LOST,
          "%s was saved by its client, but no trigger of it was planned".formatted(job.key()));
    }
  }

  private static void missing(
      LoadJob job, long from, long to, Dispositions found, Findings findings) {
    List<Long> missing =
        job.timing()
            .grid(Math.min(from, job.timing().end()), to)
            .filter(instant -> !found.counts().containsKey(instant))
            .boxed()
            .toList();
    if (!missing.isEmpty()) {
      findings.broken(
          Promise.LOST,
          "%s has no disposition of %d instants, the first %s, the last %s"
              .formatted(
                  job.key(),
                  missing.size(),
                  at(missing.get(0)),
                  at(missing.get(missing.size() - 1))));
    }
  }
}
