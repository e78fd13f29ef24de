package io.millrace.test.internal;

import io.millrace.internal.model.Assignment;
import io.millrace.internal.protocol.ExecutionResult;
import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.outcome.CauseWords;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.TriggerRecord;
import io.millrace.jobtracker.store.LedgerStore;
import io.millrace.jobtracker.store.LedgerStore.Found;
import io.millrace.jobtracker.store.NodeGroupStore.NodeGroup;
import io.millrace.jobtracker.store.Stores;
import io.millrace.test.JobAttempt;
import io.millrace.test.JobRun;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads what has run from the ledger and from what workers were given. Thread-safe. */
public final class RunHistory {
  private static final int PAGE = 1_000;

  private final Stores stores;
  private final WireRecord wire;

  public RunHistory(Stores stores, WireRecord wire) {
    this.stores = stores;
    this.wire = wire;
  }

  /** Tells the runs of a job apart: a task id may have had several one-shots. */
  private record RunKey(long plannedFor, int ordinal, long jobId) {}

  private record NumberedRun(long id, JobRun run) {}

  /** Returns the runs of a job, in the order of their planned instants. */
  public List<JobRun> runsOf(String nodeGroup, String taskId) {
    List<LedgerEntry> ofGroup = ledger(nodeGroup);
    List<LedgerEntry> rows =
        ofGroup.stream().filter(row -> row.key().taskId().equals(taskId)).toList();
    PartHistory parts = new PartHistory(stores, nodeGroup, taskId, ofGroup, this::attempt);
    Map<RunKey, List<LedgerEntry>> byRun = new LinkedHashMap<>();
    for (LedgerEntry row : rows) {
      byRun.computeIfAbsent(keyOf(row), unused -> new ArrayList<>()).add(row);
    }
    List<Assignment> open = openAssignments(nodeGroup, taskId, ofGroup, parts);
    Map<Long, String> results = resultsOf(rows);
    List<NumberedRun> runs = new ArrayList<>();
    byRun.forEach(
        (key, ended) -> runs.add(run(ended, takeOpenOf(key, ended, open), results, parts)));
    open.forEach(assignment -> runs.add(run(List.of(), assignment, results, parts)));
    parts.open().stream()
        .filter(batch -> batch.state().isUnderWay())
        .filter(batch -> !byRun.containsKey(keyOf(batch.run())))
        .forEach(batch -> runs.add(split(batch, parts)));
    return runs.stream()
        .sorted(
            Comparator.comparing((NumberedRun each) -> each.run().plannedFor())
                .thenComparingLong(NumberedRun::id))
        .map(NumberedRun::run)
        .toList();
  }

  private static RunKey keyOf(TriggerRecord row) {
    return new RunKey(row.plannedFor(), row.key().ordinal(), row.jobId());
  }

  /** A run that was split at its first attempt, and has not ended. */
  private static NumberedRun split(Batch batch, PartHistory parts) {
    Execution run = batch.run();
    return new NumberedRun(
        run.id(),
        new JobRun(
            run.nodeGroup(),
            run.key().taskId(),
            Instant.ofEpochMilli(run.plannedFor()),
            1,
            null,
            null,
            List.of(),
            parts.of(run.id())));
  }

  /** Returns the rows of a node group, in order of id. */
  private List<LedgerEntry> ledger(String nodeGroup) {
    List<LedgerEntry> rows = new ArrayList<>();
    Long below = Long.MAX_VALUE;
    while (below != null) {
      LedgerStore.Search search =
          new LedgerStore.Search(nodeGroup, null, null, Long.MIN_VALUE, below);
      Found page = stores.ledger().search(search, PAGE, PAGE);
      rows.addAll(page.rows());
      below = page.next();
    }
    rows.sort(Comparator.comparingLong(LedgerEntry::id));
    return rows;
  }

  /** Returns what the executions of these rows returned, as JSON, by their ids. */
  private Map<Long, String> resultsOf(List<LedgerEntry> rows) {
    List<Long> succeeded =
        rows.stream()
            .filter(row -> row.status() == LedgerStatus.SUCCEEDED)
            .map(LedgerEntry::id)
            .toList();
    return succeeded.isEmpty() ? Map.of() : stores.results().find(succeeded);
  }

  /** Returns what workers were given of the job and have not ended yet, parts left out. */
  private List<Assignment> openAssignments(
      String nodeGroup, String taskId, List<LedgerEntry> rows, PartHistory parts) {
    Set<Long> ended = rows.stream().map(LedgerEntry::id).collect(Collectors.toSet());
    Map<Long, Assignment> open =
        wire.givenOf(nodeGroup, taskId).stream()
            .map(WireRecord.Given::assignment)
            .filter(assignment -> !ended.contains(assignment.executionId()))
            .collect(
                Collectors.toMap(
                    Assignment::executionId,
                    Function.identity(),
                    (one, other) -> one,
                    LinkedHashMap::new));
    Map<Long, Execution> executions =
        stores.executing().find(open.keySet()).stream()
            .collect(Collectors.toMap(Execution::id, Function.identity()));
    Set<Long> split = parts.open().stream().map(Batch::id).collect(Collectors.toSet());
    return open.values().stream()
        .filter(each -> !split.contains(each.executionId()))
        .filter(each -> !parts.addOpen(executions.get(each.executionId()), attempt(each)))
        .collect(Collectors.toCollection(ArrayList::new));
  }

  private static @Nullable Assignment takeOpenOf(
      RunKey key, List<LedgerEntry> ended, List<Assignment> open) {
    if (ended.get(ended.size() - 1).status().isFinal()) {
      return null;
    }
    for (Assignment each : open) {
      if (each.plannedFor().toEpochMilli() == key.plannedFor() && each.ordinal() == key.ordinal()) {
        open.remove(each);
        return each;
      }
    }
    return null;
  }

  private NumberedRun run(
      List<LedgerEntry> ended,
      @Nullable Assignment open,
      Map<Long, String> results,
      PartHistory parts) {
    List<JobAttempt> attempts = new ArrayList<>();
    ended.stream()
        .filter(row -> row.workerId() != null && wire.given(row.id()) != null)
        .map(row -> attempt(row, results.get(row.id())))
        .forEach(attempts::add);
    if (open != null) {
      attempts.add(attempt(open));
    }
    if (ended.isEmpty()) {
      Assignment only = Objects.requireNonNull(open);
      return new NumberedRun(
          only.executionId(),
          new JobRun(
              only.nodeGroup(),
              only.taskId(),
              only.plannedFor(),
              1,
              null,
              null,
              attempts,
              List.of()));
    }
    LedgerEntry last = ended.get(ended.size() - 1);
    return new NumberedRun(
        ended.get(0).id(),
        new JobRun(
            last.nodeGroup(),
            last.key().taskId(),
            Instant.ofEpochMilli(last.plannedFor()),
            last.instants(),
            last.status().disposition(),
            CauseWords.english(last.cause()),
            attempts,
            parts.of(runId(last, parts))));
  }

  /** The id of the run that ended so, or that was split at the attempt after this one. */
  private static long runId(LedgerEntry last, PartHistory parts) {
    return parts.open().stream()
        .filter(batch -> !last.status().isFinal() && keyOf(batch.run()).equals(keyOf(last)))
        .map(Batch::id)
        .findFirst()
        .orElse(last.id());
  }

  private JobAttempt attempt(LedgerEntry row, @Nullable String json) {
    ExecutionResult result = wire.result(row.id());
    WireRecord.Given given = wire.given(row.id());
    Long startedAt = row.times().startedAt();
    return new JobAttempt(
        row.attempt(),
        row.id(),
        String.valueOf(row.workerId()),
        result == null ? null : result.outcome(),
        startedAt == null ? null : Instant.ofEpochMilli(startedAt),
        Instant.ofEpochMilli(row.times().finishedAt()),
        row.message(),
        json,
        given == null ? Map.of() : given.assignment().params());
  }

  private JobAttempt attempt(Assignment open) {
    WireRecord.Given given = wire.given(open.executionId());
    return new JobAttempt(
        open.attempt(),
        open.executionId(),
        given == null ? "" : given.workerId(),
        null,
        null,
        null,
        null,
        null,
        open.params());
  }

  /** Returns the node groups that know a job of this task id, in alphabetical order. */
  public Set<String> groupsWith(String taskId) {
    List<String> groups = stores.nodeGroups().all().stream().map(NodeGroup::name).toList();
    Set<String> found = new TreeSet<>(stores.jobs().groupsWithTask(groups, taskId));
    for (String group : groups) {
      if (!stores.waiting().findOneShots(group, Set.of(taskId)).isEmpty()
          || !wire.givenOf(group, taskId).isEmpty()) {
        found.add(group);
      }
    }
    return found;
  }
}
