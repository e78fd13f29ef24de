package io.millrace.torture.oracle;

import io.millrace.torture.journal.Answer;
import io.millrace.torture.journal.Call;
import io.millrace.torture.journal.Delivery;
import io.millrace.torture.journal.Run;
import io.millrace.torture.load.LoadJob;
import io.millrace.torture.load.Step;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * All that is known of a run, in the order in which the checks ask for it. Immutable.
 *
 * @param jobs what the clients were to submit, by key
 * @param steps what the clients were to do, by number
 * @param calls what they did, and what they were told
 * @param deliveries what became of what they had saved
 * @param runs what the workers ran
 * @param tables what the database says
 * @param faults what was done to the run
 */
record Records(
    Map<String, LoadJob> jobs,
    Map<Integer, Step> steps,
    List<Call> calls,
    List<Delivery> deliveries,
    List<Run> runs,
    Tables tables,
    Faults faults) {

  /**
   * How far a tracker's clock may be behind those of clients and workers on the same machine: by
   * what the best of its readings of the database's time has taken, which is long where all
   * processors are busy. It is never ahead of the database's.
   */
  static final long CLOCK_MILLIS = 250;

  Records {
    jobs = Map.copyOf(jobs);
    steps = Map.copyOf(steps);
    calls = List.copyOf(calls);
    deliveries = List.copyOf(deliveries);
    runs = List.copyOf(runs);
  }

  /** The rows of each trigger, in order of id. */
  Map<LedgerEntry.Trigger, List<LedgerEntry>> byTrigger() {
    return grouped(tables.ledger(), LedgerEntry::trigger);
  }

  /** The rows of each job, in order of id. */
  Map<String, List<LedgerEntry>> ledgerByJob() {
    return grouped(tables.ledger(), LedgerEntry::key);
  }

  Map<String, List<LiveRow>> liveByJob() {
    return grouped(tables.live(), LiveRow::key);
  }

  /** The calls about each job, in order of time. */
  Map<String, List<Call>> callsByJob() {
    List<Call> sorted = new ArrayList<>(calls);
    sorted.sort(Comparator.comparingLong(Call::askedAt));
    return grouped(sorted, call -> stepOf(call).job().key());
  }

  /** The runs of each execution. */
  Map<Long, List<Run>> runsByExecution() {
    return grouped(runs, Run::executionId);
  }

  /** The rows of executions that ended. */
  Map<Long, LedgerEntry> executions() {
    return tables.ledger().stream()
        .filter(LedgerEntry::isExecution)
        .collect(Collectors.toMap(LedgerEntry::id, Function.identity(), (a, b) -> a));
  }

  /** Whether something of this job was saved, delivered, and then not stored. */
  boolean isRefusedOnDelivery(String key) {
    return deliveries.stream()
        .anyMatch(delivery -> delivery.key().equals(key) && delivery.answer() == Answer.REFUSED);
  }

  /** When a client was first told that something of this job that it had saved is stored. */
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
