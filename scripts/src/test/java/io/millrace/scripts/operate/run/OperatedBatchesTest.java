package io.millrace.scripts.operate.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.console.api.batch.BatchRoutes.BatchDetail;
import io.millrace.console.api.batch.BatchRoutes.BatchPage;
import io.millrace.internal.codec.JsonCodec;
import io.millrace.scripts.CommandRun;
import io.millrace.scripts.ExitCode;
import io.millrace.scripts.operate.OperatedTracker;
import io.millrace.tasktracker.JobContext;
import io.millrace.tasktracker.Result;
import io.millrace.tasktracker.TaskTracker;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs that were split, as an operator sees them by commands. */
@Timeout(120)
class OperatedBatchesTest {
  @TempDir private Path directory;

  private final JsonCodec codec = new JsonCodec();
  private final CountDownLatch mayEnd = new CountDownLatch(1);
  private OperatedTracker operated;
  private TaskTracker worker;

  @BeforeEach
  void start() throws IOException {
    operated = OperatedTracker.in(directory);
    worker =
        TaskTracker.builder()
            .trackers(operated.tracker().address())
            .nodeGroup("orders")
            .slots(4)
            .runner(this::run)
            .build();
    worker.start();
  }

  @AfterEach
  void stop() {
    mayEnd.countDown();
    worker.close();
    operated.close();
  }

  private Result run(JobContext context) throws InterruptedException {
    if (context.shard().index() > 0 || "yes".equals(context.param("wait"))) {
      mayEnd.await();
    }
    return Result.success("part " + context.shard().index());
  }

  /** The id of the batch, once a part has ended and two run. */
  private String submitted() {
    operated.done("submit", "orders", "close", "--shards", "3");
    return operated
        .awaited(
            text -> codec.decodeText(text, BatchPage.class).items(),
            items ->
                items.size() == 1
                    && items.get(0).parts().ended() == 1
                    && items.get(0).parts().running() == 2,
            "batches",
            "orders",
            "--json")
        .get(0)
        .id();
  }

  @Test
  void broadcastIsShown() {
    operated.done(
        "submit orders reload --param wait=yes --broadcast --on-worker-lost dead".split(" "));
    String id =
        operated
            .awaited(
                text -> codec.decodeText(text, BatchPage.class).items(),
                items -> items.size() == 1 && items.get(0).parts().running() == 1,
                "batches",
                "orders",
                "--json")
            .get(0)
            .id();

    assertThat(operated.done("batch", id)).contains("BROADCAST", "0 of 1 parts have ended");
    assertThat(operated.done("running")).contains("1/1");
    assertThat(operated.done("job", "orders", "reload"))
        .containsPattern("broadcast +one part for each worker")
        .containsPattern("if a worker is gone +DEAD");
  }

  @Test
  void batchIsListedShownAndEnds() {
    String id = submitted();

    assertThat(operated.done("batches", "orders")).contains("BATCH", id, "close", "SHARDS", "OPEN");
    assertThat(operated.done("batch", id))
        .contains("orders/close", "1 of 3 parts have ended; 2 running", "1 succeeded");
    assertThat(operated.done("batch", id, "--parts")).contains("RUNNING", "SUCCEEDED", "part 0");
    assertThat(operated.done("batch", id, "--state", "RUNNING")).doesNotContain("SUCCEEDED");
    assertThat(operated.done("running"))
        .contains("1 of 3 parts have ended", "2/3", "3/3")
        .doesNotContain("#" + id);
    assertThat(operated.done("history", id))
        .contains("SPLIT", "1 of 3 parts have ended; 2 running; millrace batch " + id);
    assertThat(operated.done("status", "orders", "close"))
        .contains("batch " + id, "1 of 3 parts have ended, 0 failed");
    assertThat(operated.done("explain", "orders", "close"))
        .contains("1 of 3 parts has ended; running: 2, waiting: 0.");
    assertThat(operated.done("explain", "orders", "#" + id))
        .contains("The parts of batch " + id + ", into which a run of close was split");

    mayEnd.countDown();
    BatchDetail ended =
        operated.awaited(
            text -> codec.decodeText(text, BatchDetail.class),
            detail -> detail.ended() != null,
            "batch",
            id,
            "--json");
    assertThat(ended.batch().parts().succeeded()).isEqualTo(3);
    assertThat(operated.done("batch", id))
        .contains("ENDED", "3 of 3 parts have ended", "SUCCEEDED");
    assertThat(operated.done("history", id)).contains("millrace batch " + id);
    assertThat(operated.done("history")).contains("#" + id);
  }

  @Test
  void oneRunIsTerminatedByItsBatch() {
    String id = submitted();

    assertThat(operated.done("terminate", "orders", "close", "--execution", id))
        .startsWith("TERMINATED orders/close");

    assertThat(operated.awaited(Function.identity(), text -> text.contains("ENDED"), "batch", id))
        .contains("CANCELLED");
  }

  @Test
  void unknownBatchIsSaid() {
    CommandRun run = operated.run("batch", "17");

    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(run.error()).contains("there is no batch 17", "/batches lists those under way");
    assertThat(operated.run("batch", "x").exitCode()).isNotZero();
    assertThat(operated.run("batch", "1", "--state", "LOST").exitCode())
        .isEqualTo(ExitCode.BAD_INPUT);
  }
}
