package io.millrace.jobtracker.store;

import static io.millrace.jobtracker.store.StoreRows.executing;
import static io.millrace.jobtracker.store.StoreRows.job;
import static io.millrace.jobtracker.store.StoreRows.nextId;
import static io.millrace.jobtracker.store.StoreRows.planned;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.trigger.Execution;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * What a claim and an end write of tables with few more rows than they write of does not wait for
 * rows that another transaction is inserting, or has locked, and never looked for.
 */
class OthersInsertsTest extends StoreContract {
  private static final int ROWS = 12;

  /** The rows of others are there, but not committed, while this runs over another connection. */
  private <T> T besideOthers(Runnable writeOfOthers, Callable<T> own) {
    try (Racer racer = new Racer()) {
      return stores
          .transactions()
          .inTransaction(
              "write and wait",
              () -> {
                writeOfOthers.run();
                return Racer.resultOf(racer.start(own));
              });
    }
  }

  private List<JobDefinition> jobs() {
    List<JobDefinition> jobs =
        IntStream.range(0, ROWS).mapToObj(i -> job(nodeGroup, "task-" + i)).toList();
    jobs.forEach(stores.jobs()::insert);
    return jobs;
  }

  private List<Execution> executions(String taskId) {
    List<Execution> executions =
        IntStream.range(0, ROWS)
            .mapToObj(i -> executing(nodeGroup, planned(nextId(), taskId, 1_000 + i)))
            .toList();
    stores.executing().insert(executions);
    return executions;
  }

  @Test
  void jobsAreLockedBesideOnesThatAreInsertedOrLocked() {
    List<JobDefinition> jobs = jobs();
    List<Long> wanted = jobs.stream().skip(1).map(JobDefinition::id).toList();
    Stores other = database.anotherTracker();

    assertThat(
            besideOthers(
                () -> {
                  stores.jobs().insert(job(nodeGroup, "new"));
                  stores.jobs().lock(List.of(jobs.get(0).id()));
                },
                () -> other.jobs().lock(wanted)))
        .hasSize(ROWS - 1);
  }

  @Test
  void executionsEndBesideOnesThatAreInserted() {
    List<Long> ids = executions("task").stream().map(Execution::id).toList();
    Stores other = database.anotherTracker();

    assertThat(
            besideOthers(
                () -> stores.executing().insert(List.of(executing(nodeGroup, "new"))),
                () -> other.executing().delete(ids)))
        .isEqualTo(ROWS);
  }

  @Test
  void executionsOfAJobAreCountedBesideOthersThatAreInserted() {
    executions("turns");
    Stores other = database.anotherTracker();

    assertThat(
            besideOthers(
                () -> stores.executing().insert(List.of(executing(nodeGroup, "new"))),
                () -> other.runs().setCounted(nodeGroup, "turns", true)))
        .isEqualTo(ROWS);
  }
}
