package io.millrace.jobtracker.group.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.internal.LogCapture;
import io.millrace.internal.model.Assignment;
import io.millrace.jobtracker.fixture.HandDrivenWorker;
import io.millrace.jobtracker.fixture.HandTime;
import io.millrace.jobtracker.fixture.ServiceTest;
import io.millrace.jobtracker.store.JobStore.LockedJob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** What the tests of the reconciler of a node group have in common. */
abstract class ReconcileTest extends ServiceTest {
  static final Duration MINUTE = Duration.ofMinutes(1);

  HandDrivenWorker worker;
  private LogCapture log;

  @BeforeEach
  void connectWorker() {
    worker = tracker.worker("worker-1");
    log = new LogCapture(ReconcileReport.class);
  }

  @AfterEach
  void releaseLog() {
    log.close();
  }

  /** What was logged since this was last asked. */
  List<String> logged() {
    List<String> lines = List.copyOf(log.lines());
    log.lines().clear();
    return lines;
  }

  /** Repairs exactly this, says so in one line of the log each, and nothing at a second look. */
  void assertRepairs(Map<Inconsistency, Integer> damage) {
    logged();
    Reconciled first = tracker.reconcile();
    assertThat(first.repaired()).isEqualTo(damage);
    assertThat(first.failed()).isZero();
    assertThat(logged()).isNotEmpty().allMatch(line -> line.startsWith("WARN reconcile: orders/"));
    assertNothingToRepair();
  }

  void assertRepairs(Inconsistency damage, int count) {
    assertRepairs(Map.of(damage, count));
  }

  void assertNothingToRepair() {
    Reconciled done = tracker.reconcile();
    assertThat(done.repaired()).isEmpty();
    assertThat(done.failed()).isZero();
    assertThat(done.isNothing()).isTrue();
    assertThat(logged()).isEmpty();
  }

  /** Takes and ends with success whatever falls due while this much time passes. */
  void work(Duration duration) {
    long end = time.millis() + duration.toMillis();
    while (time.millis() < end) {
      List<Assignment> taken = worker.take(20);
      while (!taken.isEmpty()) {
        taken.forEach(worker::succeed);
        taken = worker.take(20);
      }
      time.pass(Duration.ofSeconds(10));
      tracker.generate();
    }
  }

  /** Everything that ran of the task since the start is one run a minute. */
  void assertRanEveryMinuteFor(String taskId, int minutes) {
    List<Long> instants =
        ledger(taskId).stream()
            .map(row -> (row.plannedFor() - HandTime.START.toEpochMilli()) / 60_000)
            .toList();
    assertThat(instants).hasSizeGreaterThanOrEqualTo(minutes);
    assertThat(instants)
        .containsExactlyElementsOf(
            LongStream.range(instants.get(0), instants.get(0) + instants.size()).boxed().toList());
    assertThat(ends(taskId)).containsOnly("SUCCEEDED");
  }

  LockedJob row(String taskId) {
    long id = definition(taskId).id();
    return stores
        .transactions()
        .inTransaction("look", () -> stores.jobs().lock(List.of(id)))
        .get(id);
  }

  List<Long> plannedInstants(String taskId) {
    return waiting(taskId).stream().map(row -> row.key().plannedAt()).toList();
  }

  /** Every trigger of the task that has a row of the ledger has exactly one disposition. */
  void assertOneDispositionEach(String taskId) {
    List<String> finals = new ArrayList<>();
    ledger(taskId).stream()
        .filter(row -> row.status().isFinal())
        .forEach(row -> finals.add(row.key().toString()));
    Set<String> all =
        ledger(taskId).stream().map(row -> row.key().toString()).collect(Collectors.toSet());
    assertThat(finals).doesNotHaveDuplicates();
    assertThat(new HashSet<>(finals)).isEqualTo(all);
  }
}
