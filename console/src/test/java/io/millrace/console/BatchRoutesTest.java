package io.millrace.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.console.RunningConsole.Answered;
import io.millrace.console.api.PartTally;
import io.millrace.console.api.batch.BatchRoutes.BatchDetail;
import io.millrace.console.api.batch.BatchRoutes.BatchPage;
import io.millrace.console.api.batch.BatchRoutes.PartPage;
import io.millrace.console.api.batch.BatchSummary;
import io.millrace.console.api.batch.PartSummary;
import io.millrace.console.api.history.ExecutionRoutes.ExecutionDetail;
import io.millrace.console.api.history.ExecutionRoutes.ExecutionPage;
import io.millrace.console.api.history.ExecutionRoutes.Terminated;
import io.millrace.console.api.history.ExecutionSummary;
import io.millrace.console.api.history.HistoryRoutes.HistoryPage;
import io.millrace.console.api.job.JobDetail;
import io.millrace.console.api.operator.AuditRoutes.AuditPage;
import io.millrace.console.http.Problem;
import io.millrace.jobtracker.domain.batch.BatchKind;
import io.millrace.jobtracker.domain.batch.BatchState;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.store.TestDatabase;
import io.millrace.tasktracker.JobContext;
import io.millrace.tasktracker.Result;
import io.millrace.tasktracker.TaskTracker;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Runs that were split, as operators see them. */
class BatchRoutesTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final CountDownLatch release = new CountDownLatch(1);
  private RunningConsole console;
  private TaskTracker worker;

  @BeforeEach
  void open() {
    console = RunningConsole.over(TestDatabase.h2());
    worker =
        TaskTracker.builder()
            .trackers(console.tracker().address())
            .nodeGroup("orders")
            .id("worker-1")
            .slots(4)
            .runner(this::run)
            .build();
    worker.start();
  }

  @AfterEach
  void close() {
    release.countDown();
    worker.close();
    console.close();
  }

  /** The second part fails; the third and the fourth wait to be released, if they are told to. */
  private Result run(JobContext context) throws InterruptedException {
    int index = context.shard().index();
    if (index == 1) {
      return Result.failed("no such file");
    }
    if (index >= 2 && "yes".equals(context.param("wait"))) {
      context.progress(index, "of the files");
      release.await();
    }
    return Result.success();
  }

  private BatchSummary submit(String task, int shards, boolean waits) throws Exception {
    Answered answered =
        console
            .ask("POST", "/api/v1/jobs")
            .json(
                "{\"nodeGroup\":\"orders\",\"taskId\":\"%s\",\"shards\":%d,\"params\":{\"wait\":\"%s\"}}"
                    .formatted(task, shards, waits ? "yes" : "no"))
            .send();
    assertThat(answered.status()).as(answered.body()).isEqualTo(201);
    return waits
        ? awaitBatch(
            found ->
                found.parts().ended() == 2 && found.parts().running() == Math.min(4, shards - 2))
        : null;
  }

  private static <T> T get(RunningConsole console, String path, Class<T> type) {
    try {
      Answered answered = console.ask("GET", "/api/v1/" + path).send();
      assertThat(answered.status()).as(answered.body()).isEqualTo(200);
      return answered.as(type);
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private <T> T get(String path, Class<T> type) {
    return get(console, path, type);
  }

  private BatchSummary awaitBatch(Predicate<BatchSummary> expected) {
    return Awaitility.await()
        .atMost(PATIENCE)
        .until(
            () -> get("batches?group=orders", BatchPage.class).items(),
            found -> found.size() == 1 && expected.test(found.get(0)))
        .get(0);
  }

  private List<PartSummary> parts(String id, String query) {
    List<PartSummary> parts = new ArrayList<>();
    String after = "";
    while (after != null) {
      PartPage page = get("batches/" + id + "/parts?limit=2" + query + after, PartPage.class);
      parts.addAll(page.items());
      after = page.next() == null ? null : "&after=" + page.next();
    }
    return parts;
  }

  private Problem refused(int status, String method, String path) throws Exception {
    Answered answered = console.ask(method, "/api/v1/" + path).send();
    assertThat(answered.status()).as(answered.body()).isEqualTo(status);
    return answered.as(Problem.class);
  }

  @Test
  void batchUnderWayIsShownWithItsParts() throws Exception {
    BatchSummary listed = submit("close", 6, true);

    assertThat(listed.kind()).isEqualTo(BatchKind.SHARDS);
    assertThat(listed.state()).isEqualTo(BatchState.OPEN);
    assertThat(listed.job()).isEqualTo("close");
    PartTally tally = listed.parts();
    assertThat(tally.total()).isEqualTo(6);
    assertThat(tally.succeeded()).isEqualTo(1);
    assertThat(tally.failed()).isEqualTo(1);
    BatchSummary shown =
        awaitBatch(found -> found.parts().running() + found.parts().waiting() == 4);
    assertThat(get("batches/" + listed.id(), BatchDetail.class).batch().id()).isEqualTo(shown.id());

    List<PartSummary> parts = parts(listed.id(), "");
    assertThat(parts).extracting(PartSummary::number).containsExactlyInAnyOrder(1, 2, 3, 4, 5, 6);
    assertThat(parts(listed.id(), "&state=FAILED"))
        .singleElement()
        .satisfies(
            part -> {
              assertThat(part.number()).isEqualTo(2);
              assertThat(part.message()).isEqualTo("no such file");
              assertThat(part.workerId()).isEqualTo("worker-1");
            });
    assertThat(parts(listed.id(), "&state=RUNNING"))
        .isNotEmpty()
        .allSatisfy(part -> assertThat(part.execution()).isNotNull());
    assertThat(parts(listed.id(), "&state=DEAD")).isEmpty();
    assertThat(parts(listed.id(), "&state=RUNNING"))
        .extracting(PartSummary::number)
        .containsExactly(3, 4, 5, 6);
    assertThat(parts(listed.id(), "&state=RUNNING&order=NUMBER_DESCENDING"))
        .extracting(PartSummary::number)
        .containsExactly(6, 5, 4, 3);
    assertThat(parts(listed.id(), "&order=NUMBER_DESCENDING"))
        .extracting(PartSummary::number)
        .hasSize(6)
        .startsWith(6, 5, 4, 3);
  }

  private List<String> underWay(String path) {
    List<String> ids = new ArrayList<>();
    String after = "";
    while (after != null) {
      BatchPage page = get(path + after, BatchPage.class);
      page.items().forEach(batch -> ids.add(batch.job()));
      after = page.next() == null ? null : "&after=" + page.next();
    }
    return ids;
  }

  /** Runs that were split are merged with other executions, in both directions. */
  @Test
  void batchesAreListedFromEitherEndAlsoAmongWhatRuns() throws Exception {
    BatchSummary unused = submit("first", 3, true);
    submit("'taskId':'second','shards':3,'params':{'wait':'yes'}");
    Awaitility.await().atMost(PATIENCE).until(() -> underWay("batches?limit=5").size() == 2);

    for (int limit = 1; limit <= 3; limit++) {
      assertThat(underWay("batches?group=orders&limit=" + limit))
          .containsExactly("first", "second");
      assertThat(underWay("batches?order=NEWEST_FIRST&limit=" + limit))
          .containsExactly("second", "first");
    }
    List<String> oldest = running("executions?limit=1");
    assertThat(oldest).hasSizeGreaterThanOrEqualTo(3);
    List<String> newest = running("executions?limit=2&order=NEWEST_FIRST");
    Collections.reverse(newest);
    assertThat(newest).isEqualTo(oldest);
  }

  private List<String> running(String path) {
    List<String> ids = new ArrayList<>();
    String after = "";
    while (after != null) {
      ExecutionPage page = get(path + after, ExecutionPage.class);
      page.items().forEach(row -> ids.add(row.id()));
      after = page.next() == null ? null : "&after=" + page.next();
    }
    return ids;
  }

  @Test
  void runIsInTheListOfWhatRunsBesideItsParts() throws Exception {
    BatchSummary batch = submit("close", 4, true);

    List<ExecutionSummary> running = get("executions", ExecutionPage.class).items();

    assertThat(running).hasSize(3);
    ExecutionSummary run = running.get(0);
    assertThat(run.id()).isEqualTo(batch.id());
    assertThat(Objects.requireNonNull(run.parts()).ended()).isEqualTo(2);
    assertThat(running.subList(1, 3))
        .allSatisfy(
            part -> {
              assertThat(Objects.requireNonNull(part.part()).taskId()).isEqualTo("close");
              assertThat(part.part().batch()).isEqualTo(batch.id());
              assertThat(part.part().shards()).isEqualTo(4);
            });
    ExecutionPage first = get("executions?group=orders&limit=1", ExecutionPage.class);
    assertThat(first.items()).extracting(ExecutionSummary::id).containsExactly(batch.id());
    List<ExecutionSummary> others =
        get("executions?limit=5&after=" + first.next(), ExecutionPage.class).items();
    assertThat(others)
        .extracting(ExecutionSummary::id)
        .containsExactly(running.get(1).id(), running.get(2).id());
    assertThat(get("executions?worker=worker-1", ExecutionPage.class).items()).hasSize(2);
    assertThat(get("executions?group=orders&task=close", ExecutionPage.class).items())
        .singleElement()
        .satisfies(row -> assertThat(row.parts()).isNotNull());
    assertThat(get("executions/" + batch.id(), ExecutionDetail.class).underWay().parts().total())
        .isEqualTo(4);
    assertThat(get("jobs/orders/close", JobDetail.class).settings().params())
        .containsEntry("wait", "yes");
  }

  @Test
  void batchThatEndedIsShownByTheLedger() throws Exception {
    BatchSummary batch = submit("close", 4, true);
    release.countDown();

    BatchDetail ended =
        Awaitility.await()
            .atMost(PATIENCE)
            .until(
                () -> get("batches/" + batch.id(), BatchDetail.class),
                found -> found.ended() != null);

    assertThat(ended.batch().state()).isEqualTo(BatchState.ENDED);
    assertThat(ended.batch().parts().total()).isEqualTo(4);
    assertThat(ended.batch().parts().succeeded()).isEqualTo(3);
    assertThat(ended.isCut()).isFalse();
    assertThat(ended.ended().status()).isEqualTo(LedgerStatus.FAILED);
    assertThat(ended.ended().cause()).contains("1 of 4 parts");
    assertThat(parts(batch.id(), "")).hasSize(4);
    assertThat(get("batches?group=orders", BatchPage.class).items()).isEmpty();
    assertThat(get("executions/" + batch.id(), ExecutionDetail.class).wasSplit()).isTrue();
    assertThat(get("history?group=orders", HistoryPage.class).items())
        .filteredOn(row -> row.batch() != null)
        .hasSize(4)
        .allSatisfy(row -> assertThat(row.batch()).isEqualTo(batch.id()));
    assertThat(refused(409, "POST", "batches/" + batch.id() + "/terminate").detail())
        .isEqualTo(
            "batch %s has already ended: its run is FAILED, see /executions/%s"
                .formatted(batch.id(), batch.id()));
  }

  @Test
  void terminationStopsTheRunAndIsAudited() throws Exception {
    BatchSummary batch = submit("close", 400, true);

    Answered answered = console.ask("POST", "/api/v1/batches/" + batch.id() + "/terminate").send();

    assertThat(answered.status()).as(answered.body()).isEqualTo(200);
    assertThat(answered.as(Terminated.class).running()).isPositive();
    assertThat(get("batches/" + batch.id(), BatchDetail.class).batch().parts().waiting()).isZero();
    release.countDown();
    Awaitility.await()
        .atMost(PATIENCE)
        .until(() -> get("batches/" + batch.id(), BatchDetail.class).ended() != null);
    assertThat(parts(batch.id(), "&state=CANCELLED"))
        .anySatisfy(part -> assertThat(part.lastNumber()).isEqualTo(400));
    assertThat(get("batches/" + batch.id(), BatchDetail.class).batch().parts().total())
        .isEqualTo(400);
    assertThat(get("audit", AuditPage.class).items())
        .anySatisfy(
            entry -> {
              assertThat(entry.action()).isEqualTo("terminateBatch");
              assertThat(entry.target()).contains(batch.id());
            });
  }

  private void submit(String job) throws Exception {
    Answered answered =
        console
            .ask("POST", "/api/v1/jobs")
            .json("{'nodeGroup':'orders',%s}".formatted(job).replace('\'', '"'))
            .send();
    assertThat(answered.status()).as(answered.body()).isEqualTo(201);
  }

  @Test
  void waitingPartOfABroadcastNamesItsWorkerAndIsSkippedWithIt() throws Exception {
    CountDownLatch isBusy = new CountDownLatch(1);
    try (TaskTracker other =
        TaskTracker.builder()
            .trackers(console.tracker().address())
            .nodeGroup("orders")
            .id("worker-2")
            .slots(1)
            .labels("two")
            .runner(
                context -> {
                  isBusy.countDown();
                  release.await();
                  return Result.success();
                })
            .build()) {
      other.start();
      submit("'taskId':'long','on':['two']");
      isBusy.await();
      submit("'taskId':'reload','broadcast':true");
      BatchSummary batch =
          awaitBatch(found -> found.parts().succeeded() == 1 && found.parts().waiting() == 1);

      assertThat(batch.kind()).isEqualTo(BatchKind.BROADCAST);
      assertThat(parts(batch.id(), "&state=WAITING"))
          .singleElement()
          .satisfies(part -> assertThat(part.workerId()).isEqualTo("worker-2"));
      Awaitility.await()
          .atMost(PATIENCE)
          .until(
              () -> console.ask("POST", "/api/v1/workers/worker-2/drain").send().status() == 200);
      BatchDetail ended =
          Awaitility.await()
              .atMost(PATIENCE)
              .until(
                  () -> get("batches/" + batch.id(), BatchDetail.class),
                  found -> found.ended() != null);
      assertThat(ended.ended().status()).isEqualTo(LedgerStatus.SUCCEEDED);
      assertThat(ended.batch().parts().skipped()).isEqualTo(1);
      assertThat(parts(batch.id(), "&state=SKIPPED"))
          .singleElement()
          .satisfies(
              part ->
                  assertThat(part.cause())
                      .isEqualTo("the worker that it was for is gone: worker-2"));
      release.countDown();
    }
  }

  @Test
  void whatIsNoBatchIsSaid() throws Exception {
    assertThat(refused(404, "GET", "batches/17").detail())
        .isEqualTo("there is no batch 17, and the ledger has none: /batches lists those under way");
    assertThat(refused(404, "GET", "batches/17/parts").detail()).startsWith("there is no batch 17");
    assertThat(refused(404, "POST", "batches/17/terminate").detail())
        .startsWith("there is no batch 17");
    assertThat(refused(404, "GET", "batches?group=nowhere").detail()).contains("nowhere");
    assertThat(refused(400, "GET", "batches?after=x").detail()).contains("after");
    assertThat(refused(400, "GET", "batches/1/parts?state=LOST").detail()).contains("state");
    BatchSummary open = submit("split", 6, true);
    assertThat(refused(400, "GET", "batches/" + open.id() + "/parts?after=TE9TVAAxADI").detail())
        .contains("'after'");
    release.countDown();
    submit("whole", 1, false);
    String run =
        Awaitility.await()
            .atMost(PATIENCE)
            .until(
                () -> get("history?group=orders", HistoryPage.class).items(),
                rows -> rows.stream().anyMatch(row -> row.batch() != null))
            .stream()
            .filter(row -> row.batch() != null)
            .findFirst()
            .orElseThrow()
            .id();
    assertThat(refused(404, "GET", "batches/" + run).detail())
        .isEqualTo(
            "%s is an execution that was not split into parts: see /executions/%s"
                .formatted(run, run));
  }
}
