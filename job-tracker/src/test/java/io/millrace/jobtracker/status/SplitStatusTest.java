package io.millrace.jobtracker.status;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.GROUP;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.JobFilter;
import io.millrace.api.JobPage;
import io.millrace.api.JobStatus;
import io.millrace.api.JobStatus.Parts;
import io.millrace.api.JobStatus.State;
import io.millrace.api.Outcome;
import io.millrace.api.RetryPolicy;
import io.millrace.internal.model.Assignment;
import io.millrace.internal.protocol.ListRequest;
import io.millrace.internal.protocol.StatusRequest;
import io.millrace.jobtracker.fixture.HandDrivenWorker;
import io.millrace.jobtracker.fixture.ServiceTest;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The status of jobs whose runs were split into parts. */
class SplitStatusTest extends ServiceTest {
  private HandDrivenWorker worker;

  private <T> T now(CompletableFuture<T> answer) {
    time.run();
    return answer.join();
  }

  private StatusService service() {
    return new StatusService(stores, time.timedExecutor(), ZoneOffset.UTC);
  }

  private JobStatus status(String taskId) {
    return now(service().status(new StatusRequest(GROUP, taskId, null)));
  }

  private List<Assignment> takeParts() {
    worker = tracker.worker("worker-1");
    List<Assignment> parts = new ArrayList<>(worker.take(1));
    parts.addAll(worker.take(10));
    return parts;
  }

  @Test
  void oneShotSaysHowFarItsPartsAre() {
    tracker.submit(job("close").shards(8).retry(RetryPolicy.NONE).build());
    List<Assignment> parts = takeParts();
    worker.succeed(parts.get(0));
    worker.succeed(parts.get(1));
    worker.report(parts.get(2), Outcome.EXCEPTION);

    JobStatus status = status("close");

    assertThat(status.state()).isEqualTo(State.RUNNING);
    assertThat(status.executions())
        .singleElement()
        .satisfies(
            run -> {
              assertThat(run.isSplit()).isTrue();
              assertThat(run.parts()).isEqualTo(new Parts(8, 3, 1));
              assertThat(run.worker()).isEqualTo("worker-1");
            });
  }

  @Test
  void runsOfARecurringJobAreSplitOrNot() {
    tracker.submit(
        job("poll").every(Duration.ofMinutes(1)).at(inMillis(0)).shards(2).build(),
        job("whole").every(Duration.ofMinutes(1)).at(inMillis(0)).build());
    takeParts();

    assertThat(status("poll").executions())
        .extracting(JobStatus.Execution::parts)
        .containsExactly(new Parts(2, 0, 0));
    assertThat(status("whole").executions())
        .extracting(JobStatus.Execution::isSplit)
        .containsExactly(false);
  }

  @Test
  void splitRunIsListedWithItsParts() {
    tracker.submit(job("close").shards(3).build(), job("other").at(inMillis(60_000)).build());
    List<Assignment> parts = takeParts();
    worker.succeed(parts.get(0));

    JobPage page = now(service().list(new ListRequest(JobFilter.of(GROUP))));

    assertThat(page.jobs())
        .filteredOn(item -> item.execution() != null)
        .singleElement()
        .satisfies(
            item -> {
              assertThat(item.taskId()).isEqualTo("close");
              assertThat(item.execution().parts()).isEqualTo(new Parts(3, 1, 0));
            });
  }
}
