package io.millrace.torture.oracle;

import io.millrace.torture.journal.Answer;
import io.millrace.torture.journal.Call;
import io.millrace.torture.journal.Charge;
import io.millrace.torture.journal.Checkpoint;
import io.millrace.torture.journal.Delivery;
import io.millrace.torture.journal.Reduction;
import io.millrace.torture.journal.Replay;
import io.millrace.torture.journal.Run;
import io.millrace.torture.load.LoadJob;
import io.millrace.torture.load.Step;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * All records of a run, in the form that the checks need. Immutable.
 *
 * @param jobs the planned jobs, by key
 * @param steps the planned steps of the clients, by number
 * @param calls the requests of the clients and their results
 * @param deliveries the results of saved requests
 * @param runs the invocations that the workers ran
 * @param charges the steps that the invocations ran
 * @param checkpoints the checkpoints that the invocations made and found
 * @param reductions what the reduces found
 * @param replays the trackers' answers to requests for replays
 * @param tables the contents of the database
 * @param faults the faults of the run
 */
record Records(
    Map<String, LoadJob> jobs,
    Map<Integer, Step> steps,
    List<Call> calls,
    List<Delivery> deliveries,
    List<Run> runs,
    List<Charge> charges,
    List<Checkpoint> checkpoints,
    List<Reduction> reductions,
    List<Replay> replays,
    Tables tables,
    Faults faults) {

  /**
   * The maximum lag of a tracker's clock behind those of clients and workers on the same machine:
   * the duration of its fastest reading of the database's time, which is long if all processors are
   * busy. A tracker's clock is never ahead of the database's.
   */
  static final long CLOCK_MILLIS = 250;

  Records {
    jobs = Map.copyOf(jobs);
    steps = Map.copyOf(steps);
    calls = List.copyOf(calls);
    deliveries = List.copyOf(deliveries);
    runs = List.copyOf(runs);
    charges = List.copyOf(charges);
    checkpoints = List.copyOf(checkpoints);
    reductions = List.copyOf(reductions);
    replays = List.copyOf(replays);
  }

  /** Returns the rows of each trigger, ordered by id. */
  Map<LedgerEntry.Trigger, List<LedgerEntry>> byTrigger() {
    return grouped(tables.ledger(), LedgerEntry::trigger);
  }

  /** Returns the rows of each job, ordered by id. */
  Map<String, List<LedgerEntry>> ledgerByJob() {
    return grouped(tables.ledger(), LedgerEntry::key);
  }

  /** Returns the rows of the parts of each batch, ordered by id. */
  Map<Long, List<LedgerEntry>> partsByBatch() {
    Map<Long, List<LedgerEntry>> parts = new LinkedHashMap<>();
    for (LedgerEntry row : tables.ledger()) {
      Long batch = row.batch();
      if (batch != null) {
        parts.computeIfAbsent(batch, id -> new ArrayList<>()).add(row);
      }
    }
    return parts;
  }

  /**
   * Returns for each row the row of the run that it belongs to: of a part, that at the top of all
   * runs that were split; otherwise the row itself.
   */
  UnaryOperator<LedgerEntry> topRuns() {
    Map<Long, LedgerEntry> rows = executions();
    return row -> {
      LedgerEntry run = row;
      while (run.batch() != null && rows.containsKey(run.batch())) {
        run = Objects.requireNonNull(rows.get(run.batch()));
      }
      return run;
    };
  }

  /**
   * Returns for each row the key of the job that it belongs to; of a part, that of the run. For the
   * parts of a run that has not ended, it is that of its row in {@code jt_batch}.
   */
  Function<LedgerEntry, String> jobKeys() {
    UnaryOperator<LedgerEntry> runs = topRuns();
    Map<Long, String> open =
        tables.live().stream().collect(Collectors.toMap(LiveRow::id, LiveRow::key, (a, b) -> a));
    return row -> {
      LedgerEntry run = runs.apply(row);
      return run.batch() == null ? run.key() : open.getOrDefault(run.batch(), run.key());
    };
  }

  Map<String, List<LiveRow>> liveByJob() {
    return grouped(tables.live(), LiveRow::key);
  }

  /** Returns the calls for each job, ordered by time. */
  Map<String, List<Call>> callsByJob() {
    List<Call> sorted = new ArrayList<>(calls);
    sorted.sort(Comparator.comparingLong(Call::askedAt));
    return grouped(sorted, call -> stepOf(call).job().key());
  }

  /** Returns the runs of each execution. */
  Map<Long, List<Run>> runsByExecution() {
    return grouped(runs, Run::executionId);
  }

  /** Returns the rows of ended executions. */
  Map<Long, LedgerEntry> executions() {
    return tables.ledger().stream()
        .filter(LedgerEntry::isExecution)
        .collect(Collectors.toMap(LedgerEntry::id, Function.identity(), (a, b) -> a));
  }

  /** Returns which triggers replay which dead ones. */
  Origins origins() {
    return Origins.of(tables.dead());
  }

  /** Returns whether a saved request for this job was delivered but not stored. */
  boolean isRefusedOnDelivery(String key) {
    return deliveries.stream()
        .anyMatch(delivery -> delivery.key().equals(key) && delivery.answer() == Answer.REFUSED);
  }

  /** Returns when a client first learned that a saved request for this job was stored. */
  OptionalLong storedOnDelivery(String key) {
    return deliveries.stream()
        .filter(delivery -> delivery.key().equals(key))
        .filter(delivery -> delivery.answer().isStored() || delivery.answer() == Answer.DUPLICATE)
        .mapToLong(Delivery::at)
        .min();
  }

  Step stepOf(Call call) {
    @Nullable Step step = steps.get(call.step());
    if (step == null) {
      throw new IllegalStateException("step " + call.step() + " is not in the workload");
    }
    return step;
  }

  private static <K, T> Map<K, List<T>> grouped(List<T> all, Function<T, K> key) {
    return all.stream()
        .collect(Collectors.groupingBy(key, LinkedHashMap::new, Collectors.toList()));
  }
}
