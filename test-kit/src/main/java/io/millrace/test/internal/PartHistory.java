package io.millrace.test.internal;

import io.millrace.api.Disposition;
import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.batch.PartKey;
import io.millrace.jobtracker.domain.outcome.CauseWords;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.store.Stores;
import io.millrace.test.JobAttempt;
import io.millrace.test.JobPart;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The parts of runs of one node group that were split, by their batches. Not thread-safe. */
final class PartHistory {
  private final Map<Long, Map<Integer, Found>> parts = new HashMap<>();
  private final Map<Long, Batch> open;

  /** What is known of a part. */
  private static final class Found {
    private final List<JobAttempt> attempts = new ArrayList<>();
    private @Nullable Disposition disposition;
    private @Nullable String cause;
  }

  /**
   * Reads the parts.
   *
   * @param task whose runs are under way
   * @param rows of the ledger, of all tasks of the node group, in order of id
   * @param ended makes an attempt of a row and of what its execution returned
   */
  PartHistory(
      Stores stores,
      String nodeGroup,
      String task,
      List<LedgerEntry> rows,
      BiFunction<LedgerEntry, @Nullable String, JobAttempt> ended) {
    this.open =
        stores.batchViews().find(stores.batches().findByTask(nodeGroup, task)).stream()
            .collect(Collectors.toMap(Batch::id, Function.identity()));
    Map<Long, String> results = resultsOf(stores, rows);
    rows.forEach(
        row ->
            PartKey.of(row.core())
                .ifPresent(key -> add(key, row, ended.apply(row, results.get(row.id())))));
  }

  private static Map<Long, String> resultsOf(Stores stores, List<LedgerEntry> rows) {
    List<Long> ids =
        rows.stream()
            .filter(row -> PartKey.of(row.core()).isPresent())
            .map(LedgerEntry::id)
            .toList();
    return ids.isEmpty() ? Map.of() : stores.results().find(ids);
  }

  /** A row may stand for several parts, which were cancelled before they were released. */
  private void add(PartKey key, LedgerEntry row, JobAttempt attempt) {
    for (int i = 0; i < row.instants(); i++) {
      Found part = found(key.batchId(), key.number() + i);
      if (row.workerId() != null) {
        part.attempts.add(attempt);
      }
      if (row.status().isFinal()) {
        part.disposition = row.status().disposition();
        part.cause = CauseWords.english(row.cause());
      }
    }
  }

  private Found found(long batchId, int number) {
    return parts
        .computeIfAbsent(batchId, unused -> new TreeMap<>())
        .computeIfAbsent(number, unused -> new Found());
  }

  /** Adds an attempt that has not ended; returns whether it is one of a part. */
  boolean addOpen(@Nullable Execution execution, JobAttempt attempt) {
    PartKey key = execution == null ? null : PartKey.of(execution.core()).orElse(null);
    if (key == null) {
      return false;
    }
    found(key.batchId(), key.number()).attempts.add(attempt);
    return true;
  }

  /** The runs under way that were split. */
  Collection<Batch> open() {
    return open.values();
  }

  /** The parts of a run, in order of their numbers; none if it was not split. */
  List<JobPart> of(long runId) {
    Map<Integer, Found> known = parts.getOrDefault(runId, Map.of());
    Batch batch = open.get(runId);
    int total =
        batch == null
            ? known.keySet().stream().mapToInt(Integer::intValue).max().orElse(0)
            : batch.counts().total();
    List<JobPart> all = new ArrayList<>();
    for (int number = 1; number <= total; number++) {
      Found part = known.getOrDefault(number, new Found());
      all.add(new JobPart(number, part.disposition, part.cause, part.attempts));
    }
    return all;
  }
}
