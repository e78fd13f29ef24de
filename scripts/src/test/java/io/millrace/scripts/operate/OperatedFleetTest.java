package io.millrace.scripts.operate;

import static io.millrace.scripts.operate.token.TokenCommandsTest.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.console.api.fleet.GroupRoutes.GroupPage;
import io.millrace.console.api.fleet.OverviewRoutes.Overview;
import io.millrace.console.api.fleet.TrackerRoutes.TrackerPage;
import io.millrace.console.api.fleet.WorkerRoutes.WorkerDetail;
import io.millrace.console.api.fleet.WorkerRoutes.WorkerPage;
import io.millrace.console.api.fleet.WorkerRoutes.WorkerSummary;
import io.millrace.internal.codec.JsonCodec;
import io.millrace.scripts.CommandRun;
import io.millrace.scripts.ExitCode;
import io.millrace.tasktracker.Result;
import io.millrace.tasktracker.TaskTracker;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who works and who serves, as an operator sees it, with a real tracker and a real worker. */
@Timeout(120)
class OperatedFleetTest {
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
            .slots(3)
            .runner(
                context -> {
                  mayEnd.await();
                  return Result.success();
                })
            .build();
    worker.start();
  }

  @AfterEach
  void stop() {
    mayEnd.countDown();
    worker.close();
    operated.close();
  }

  @Test
  void trackersAreListed() {
    String[] lines = operated.done("trackers").split("\n");

    assertThat(lines).hasSize(2);
    assertThat(lines[0]).matches("NUMBER +ADDRESS +ALIVE +LEASE UNTIL +GROUPS +LEVEL +PROCESS");
    assertThat(lines[1])
        .matches(" *\\d+ +" + operated.tracker().address() + " +yes +\\S+Z +\\d+ +\\d+ +\\S+");
    assertThat(codec.decodeText(operated.done("trackers", "--json"), TrackerPage.class).items())
        .hasSize(1);
  }

  @Test
  void workersAreListedShownAndDrained() {
    WorkerSummary known = known(worker -> true);

    String[] lines = operated.done("workers", "--node-group", "orders").split("\n");
    assertThat(lines[0])
        .matches(
            "WORKER +GROUP +STATE +SLOTS +PREFETCHED +HOLDS +LAST PULL +ADDRESS +TRACKER +VERSION");
    assertThat(lines[1]).matches("\\S+ +orders +PULLING +0/3 .*");
    assertThat(operated.done("workers", known.id()))
        .containsPattern("(?m)^worker +\\Q" + known.id() + "\\E$")
        .containsPattern("(?m)^slots +0/3$");
    String json = operated.done("workers", known.id(), "--json");
    assertThat(codec.decodeText(json, WorkerDetail.class).worker().group()).isEqualTo("orders");

    assertThat(operated.done("drain", known.id()))
        .isEqualTo("DRAINING " + known.id() + " of orders: holds 0\n");
    assertThat(operated.done("drain", known.id(), "--node-group", "orders", "--end"))
        .isEqualTo("PULLING " + known.id() + " of orders: holds 0\n");
    assertRefused(operated.run("workers", "nobody"), ExitCode.FAILED, "no worker nobody");
    assertRefused(operated.run("drain", "nobody"), ExitCode.FAILED, "no worker nobody");
  }

  @Test
  void drainedWorkerIsWaitedForUntilItHoldsNothing() {
    CommandRun submitted =
        CommandRun.of("submit", "orders", "long", "--trackers", operated.tracker().address());
    assertThat(submitted.exitCode()).isEqualTo(ExitCode.OK);
    String id = known(worker -> worker.held() > 0).id();

    CompletableFuture<String> drained =
        CompletableFuture.supplyAsync(() -> operated.done("drain", id, "--until-idle"));
    WorkerSummary draining =
        known(
            worker -> {
              assertThat(drained).isNotDone();
              return worker.draining();
            });
    assertThat(draining.held()).isEqualTo(1);
    assertThat(drained).isNotDone();
    mayEnd.countDown();

    assertThat(drained.join()).isEqualTo("DRAINING " + id + " of orders: holds 0\n");
    assertRefused(
        operated.run("drain", id, "--until-idle", "--end"), ExitCode.BAD_INPUT, "exclude");
  }

  @Test
  void groupsAreListed() {
    WorkerSummary unused = known(worker -> true);

    String[] lines = operated.done("groups").split("\n");

    assertThat(lines[0])
        .matches(
            "GROUP +TRACKER +ADDRESS +BACKLOG +OLDEST DUE +NEXT DUE +WORKERS +DRAINING +SLOTS"
                + " +EXECUTING +COUNTED");
    assertThat(lines[1]).startsWith("orders ");
    assertThat(codec.decodeText(operated.done("groups", "--json"), GroupPage.class).items())
        .hasSize(1);
  }

  @Test
  void overviewShowsWhatRunsAndWhatHappened() {
    String shown = operated.done("overview");

    assertThat(shown)
        .containsPattern("(?m)^backlog +0\\+? due and waiting$")
        .containsPattern("(?m)^trackers +1$")
        .containsPattern("(?m)^TRIGGERS +LAST HOUR +LAST DAY$")
        .containsPattern("(?m)^succeeded +\\d+ +\\d+$");
    Overview overview = codec.decodeText(operated.done("overview", "--json"), Overview.class);
    assertThat(overview.trackers()).isEqualTo(1);
  }

  /** The worker, once the tracker has told of it, and this of it. */
  private WorkerSummary known(Predicate<WorkerSummary> such) {
    List<WorkerSummary> workers =
        operated.awaited(
            json -> codec.decodeText(json, WorkerPage.class).items(),
            rows -> !rows.isEmpty() && rows.get(0).slots() != null && such.test(rows.get(0)),
            "workers",
            "--json");
    return workers.get(0);
  }
}
