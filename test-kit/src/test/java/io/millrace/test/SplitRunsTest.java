package io.millrace.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.millrace.api.Disposition;
import io.millrace.api.Job;
import io.millrace.api.RetryPolicy;
import io.millrace.api.WorkerLossPolicy;
import io.millrace.jobclient.JobClient;
import io.millrace.tasktracker.Result;
import io.millrace.tasktracker.TaskTracker;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import org.junit.jupiter.api.Test;

/** Runs that are split into parts. */
@MillraceTest
class SplitRunsTest {
  private static final RetryPolicy EXACT =
      new RetryPolicy(1, Duration.ofSeconds(10), Duration.ofSeconds(10), 1, 0, List.of());

  @Test
  void everyPartOfARunIsDoneOnce(TestMillrace millrace, JobClient client) {
    Set<Integer> done = new ConcurrentSkipListSet<>();
    millrace.worker(
        "orders",
        worker ->
            worker.runner(
                context -> {
                  assertThat(done.add(context.shard().index())).isTrue();
                  return Result.success("shard " + context.shard().index());
                }));
    client.submit(Job.builder("orders", "close").shards(5).param("year", "2026").build());

    millrace.runDue();

    JobRuns runs =
        millrace
            .runs("orders", "close")
            .hasRun(1)
            .hasSucceeded(1)
            .hasPartsSucceeded(5)
            .hasAttempts(5)
            .hasRetried(0)
            .hasParam("year", "2026");
    assertThat(done).containsExactly(0, 1, 2, 3, 4);
    assertThat(runs.last().attempts()).isEmpty();
    assertThat(runs.last().parts())
        .extracting(JobPart::message)
        .containsExactly("shard 0", "shard 1", "shard 2", "shard 3", "shard 4");
  }

  @Test
  void partThatFailsIsRetriedByItself(TestMillrace millrace, JobClient client) {
    millrace.worker(
        "orders",
        worker ->
            worker.runner(
                context -> {
                  if (context.shard().index() == 1) {
                    throw new IllegalStateException("the shop is closed");
                  }
                  return Result.success();
                }));
    client.submit(Job.builder("orders", "close").shards(3).retry(EXACT).build());

    millrace.runDue();
    JobRuns meanwhile =
        millrace
            .runs("orders", "close")
            .hasRun(1)
            .hasSucceeded(0)
            .hasBeenSplit(3)
            .hasParts(Disposition.SUCCEEDED, 2);
    assertThat(meanwhile.last().disposition()).isNull();
    assertThat(meanwhile.last().isSplit()).isTrue();

    millrace.advance(Duration.ofMinutes(1));
    JobRuns runs =
        millrace
            .runs("orders", "close")
            .hasDied(1)
            .hasParts(Disposition.DEAD, 1)
            .hasAttempts(4)
            .hasRetried(1);
    assertThat(runs.last().parts().get(1).attempts())
        .extracting(JobAttempt::number)
        .containsExactly(1, 2);
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> runs.hasPartsSucceeded(3))
        .withMessageContaining("expected 3 parts × SUCCEEDED of the last run, but found 2")
        .withMessageContaining("part 2 DEAD")
        .withMessageContaining("attempt 2 on ");
    assertThatExceptionOfType(AssertionError.class)
        .isThrownBy(() -> runs.hasBeenSplit(4))
        .withMessageContaining("expected the last run to be split into 4 parts, but found 3");
  }

  @Test
  void recurringJobSplitsEachRun(TestMillrace millrace, JobClient client) {
    millrace.worker("orders", worker -> worker.runner(context -> Result.success()));
    client.submit(Job.builder("orders", "poll").every(Duration.ofHours(1)).shards(2).build());

    millrace.advance(Duration.ofHours(3));

    millrace.runs("orders", "poll").hasRun(4).hasSucceeded(4).hasAttempts(8).hasBeenSplit(2);
  }

  private static void broadcaster(TestMillrace millrace, Set<String> done, String name) {
    millrace.worker(
        "orders",
        worker ->
            worker.runner(
                context -> {
                  assertThat(context.shard().count()).isEqualTo(3);
                  assertThat(done.add(name)).isTrue();
                  return Result.success("shard " + context.shard().index());
                }));
  }

  @Test
  void broadcastRunsOnceOnEachWorker(TestMillrace millrace, JobClient client) {
    Set<String> done = new ConcurrentSkipListSet<>();
    List.of("a", "b", "c").forEach(name -> broadcaster(millrace, done, name));
    client.submit(Job.builder("orders", "reload").broadcast().build());

    millrace.runDue();

    JobRuns runs =
        millrace
            .runs("orders", "reload")
            .hasRun(1)
            .hasSucceeded(1)
            .hasPartsSucceeded(3)
            .hasAttempts(3);
    assertThat(done).containsExactly("a", "b", "c");
    assertThat(runs.last().parts())
        .extracting(JobPart::message)
        .containsExactly("shard 0", "shard 1", "shard 2");
  }

  @Test
  void partOfAWorkerThatIsGoneIsSkippedOrDead(TestMillrace millrace, JobClient client) {
    millrace.worker("orders", worker -> worker.runner(context -> Result.success()));
    TaskTracker gone =
        millrace.worker("orders", worker -> worker.runner(context -> Result.success()));
    millrace.runDue();
    gone.close();
    client.submit(Job.builder("orders", "reload").broadcast().build());
    client.submit(
        Job.builder("orders", "check").broadcast().onWorkerLost(WorkerLossPolicy.DEAD).build());

    millrace.advance(Duration.ofMinutes(2));

    millrace
        .runs("orders", "reload")
        .hasSucceeded(1)
        .hasBeenSplit(2)
        .hasParts(Disposition.SUCCEEDED, 1)
        .hasParts(Disposition.SKIPPED, 1);
    millrace.runs("orders", "check").hasDied(1).hasParts(Disposition.DEAD, 1);
  }

  @Test
  void cancelledRunHasPartsThatNeverRan(TestMillrace millrace, JobClient client) {
    millrace.worker(
        "orders",
        worker ->
            worker
                .slots(1)
                .runner(
                    context -> {
                      client.cancel("orders", "close");
                      return Result.success();
                    }));
    client.submit(Job.builder("orders", "close").shards(300).build());

    millrace.runDue();

    JobRuns runs =
        millrace
            .runs("orders", "close")
            .hasBeenCancelled(1)
            .hasBeenSplit(300)
            .hasParts(Disposition.CANCELLED, 299)
            .hasAttempts(1);
    assertThat(runs.last().params()).isEqualTo(Map.of());
  }
}
