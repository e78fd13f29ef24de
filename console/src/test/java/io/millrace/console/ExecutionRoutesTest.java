package io.millrace.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.api.JobHandle;
import io.millrace.api.JobStatus;
import io.millrace.console.RunningConsole.Answered;
import io.millrace.console.api.HistoryItem;
import io.millrace.console.api.KeptSummary.StepDone;
import io.millrace.console.api.ProgressSummary;
import io.millrace.console.api.fleet.WorkerRoutes.WorkerDetail;
import io.millrace.console.api.history.ExecutionRoutes.ExecutionDetail;
import io.millrace.console.api.history.ExecutionRoutes.ExecutionPage;
import io.millrace.console.api.history.ExecutionRoutes.Terminated;
import io.millrace.console.api.history.ExecutionSummary;
import io.millrace.console.api.history.HistoryRoutes.HistoryPage;
import io.millrace.console.api.job.JobCondition;
import io.millrace.console.api.job.JobDetail;
import io.millrace.console.api.list.ListCount;
import io.millrace.console.http.Problem;
import io.millrace.jobclient.JobClient;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.store.TestDatabase;
import io.millrace.tasktracker.JobContext;
import io.millrace.tasktracker.Result;
import io.millrace.tasktracker.TaskTracker;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ExecutionRoutesTest {
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final CountDownLatch release = new CountDownLatch(1);
  private RunningConsole console;
  private TaskTracker worker;

  @BeforeEach
  void open() throws IOException, InterruptedException {
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

  /** Ends at once if it is told how, and otherwise when it is released. */
  private Result run(JobContext context) throws Exception {
    String end = context.param("end");
    if ("failed".equals(end)) {
      return Result.failed("as it was told");
    }
    if (context.taskId().equals("steps")) {
      context.step("charge", () -> {});
      context.checkpoint("half");
      context.progress(40, "of the files");
    }
    if ("thrown".equals(end)) {
      throw new IllegalStateException("as it was told");
    }
    if ("value".equals(end)) {
      return Result.of(Map.of("html", "<b>", "total", 3), "three");
    }
    if (end == null) {
      release.await();
    }
    return Result.success();
  }

  private void submit(String task, String more) throws IOException, InterruptedException {
    Answered answered =
        console
            .ask("POST", "/api/v1/jobs")
            .json("{\"nodeGroup\":\"orders\",\"taskId\":\"%s\"%s}".formatted(task, more))
            .send();
    assertThat(answered.status()).as(answered.body()).isEqualTo(201);
  }

  private List<ExecutionSummary> executions(String query) {
    try {
      Answered answered = console.ask("GET", "/api/v1/executions?" + query).send();
      assertThat(answered.status()).as(answered.body()).isEqualTo(200);
      return answered.as(ExecutionPage.class).items();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private List<HistoryItem> history(String query) {
    try {
      List<HistoryItem> rows = new ArrayList<>();
      String after = "";
      while (after != null) {
        Answered answered = console.ask("GET", "/api/v1/history?" + query + after).send();
        assertThat(answered.status()).as(answered.body()).isEqualTo(200);
        HistoryPage page = answered.as(HistoryPage.class);
        rows.addAll(page.items());
        after = page.next() == null ? null : "&after=" + page.next();
      }
      return rows;
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private ExecutionSummary awaitExecution(String task) {
    String query = "group=orders&task=" + task;
    await(task).atMost(PATIENCE).until(() -> executions(query).size() == 1);
    return executions(query).get(0);
  }

  private void awaitEnds(int count) {
    await("ends").atMost(PATIENCE).until(() -> history("limit=500").size() == count);
  }

  private int counted(String of) throws IOException, InterruptedException {
    Answered answered = console.ask("GET", "/api/v1/" + of).send();
    assertThat(answered.status()).as(answered.body()).isEqualTo(200);
    assertThat(answered.as(ListCount.class).atLeast()).isFalse();
    return answered.as(ListCount.class).count();
  }

  private static void isRefused(Answered answered, int status, String why) {
    assertThat(answered.status()).as(answered.body()).isEqualTo(status);
    assertThat(answered.as(Problem.class).detail()).contains(why);
  }

  @Test
  void whatAWorkerHasIsShownAndTerminated() throws Exception {
    submit("held", ",\"timeout\":\"PT1H\"");
    ExecutionSummary row = awaitExecution("held");
    assertThat(row.workerId()).isEqualTo("worker-1");
    assertThat(row.attempt()).isEqualTo(1);
    assertThat(row.maxAttempts()).isEqualTo(4);
    assertThat(row.timeout()).isEqualTo(Duration.ofHours(1));
    assertThat(row.stopRequested()).isFalse();
    assertThat(executions("worker=worker-1")).containsExactly(row);
    assertThat(executions("worker=worker-2&group=orders")).isEmpty();
    assertThat(counted("executions/count")).isEqualTo(1);
    assertThat(counted("executions/count?upTo=10000000")).isEqualTo(1);
    assertThat(counted("executions/count?group=orders&task=held")).isEqualTo(1);
    assertThat(counted("executions/count?worker=worker-2")).isEqualTo(0);
    assertThat(console.ask("GET", "/api/v1/jobs/orders/held").send().as(JobDetail.class).state())
        .isEqualTo(JobCondition.EXECUTING);
    String path = "/api/v1/executions/" + row.id();
    assertThat(console.ask("GET", path).send().as(ExecutionDetail.class))
        .isEqualTo(new ExecutionDetail(row.id(), row, null, null, null, false));

    assertThat(console.ask("POST", path + "/terminate").send().as(Terminated.class))
        .isEqualTo(new Terminated(1));

    awaitEnds(1);
    ExecutionDetail ended = console.ask("GET", path).send().as(ExecutionDetail.class);
    assertThat(ended.underWay()).isNull();
    assertThat(Objects.requireNonNull(ended.ended()).status()).isEqualTo(LedgerStatus.CANCELLED);
    assertThat(ended.ended().cause()).contains("operator/admin");
    isRefused(console.ask("POST", path + "/terminate").send(), 409, "already ended: CANCELLED");
  }

  @Test
  void allThatRunsOfAJobIsTerminated() throws Exception {
    submit("often", ",\"schedule\":{\"cron\":\"0 0 0 1 1 ?\"},\"overlap\":{\"kind\":\"ALLOW\"}");
    console.ask("POST", "/api/v1/jobs/orders/often/run").json("{}").send();
    console.ask("POST", "/api/v1/jobs/orders/often/run").json("{}").send();
    await().atMost(PATIENCE).until(() -> executions("group=orders").size() == 2);
    assertThat(
            console
                .ask("GET", "/api/v1/jobs/orders/often")
                .send()
                .as(JobDetail.class)
                .progress()
                .executing())
        .isEqualTo(2);

    assertThat(
            console.ask("POST", "/api/v1/jobs/orders/often/terminate").send().as(Terminated.class))
        .isEqualTo(new Terminated(2));

    awaitEnds(2);
    assertThat(
            console.ask("POST", "/api/v1/jobs/orders/often/terminate").send().as(Terminated.class))
        .isEqualTo(new Terminated(0));
  }

  @Test
  void historyIsFiltered() throws Exception {
    String trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    submit("good", ",\"params\":{\"end\":\"good\"}");
    awaitEnds(1);
    submit("bad", ",\"params\":{\"end\":\"failed\"},\"traceParent\":\"" + trace + "\"");
    awaitEnds(2);

    assertThat(history("limit=1")).extracting(HistoryItem::taskId).containsExactly("bad", "good");
    HistoryItem bad = history("status=failed").get(0);
    assertThat(bad.taskId()).isEqualTo("bad");
    assertThat(bad.message()).isEqualTo("as it was told");
    assertThat(bad.startedAt()).isNotNull();
    assertThat(bad.submittedBy()).isEqualTo("operator/admin");
    assertThat(history("limit=500"))
        .extracting(HistoryItem::traceParent)
        .containsExactly(trace, null);
    assertThat(history("group=orders&task=good"))
        .extracting(HistoryItem::status)
        .containsExactly(LedgerStatus.SUCCEEDED);
    assertThat(history("group=orders&task=good&status=DEAD")).isEmpty();
    assertThat(history("group=orders&task=nobody")).isEmpty();
    assertThat(history("limit=1&order=OLDEST_FIRST"))
        .extracting(HistoryItem::taskId)
        .containsExactly("good", "bad");
    assertThat(history("group=orders&task=good&limit=1&order=OLDEST_FIRST")).hasSize(1);
    assertThat(counted("history/count")).isEqualTo(2);
    assertThat(counted("history/count?upTo=20000")).isEqualTo(2);
    assertThat(console.ask("GET", "/api/v1/history/count?upTo=1").send().as(ListCount.class))
        .isEqualTo(new ListCount(1, 1, true));
    assertThat(counted("history/count?status=FAILED")).isEqualTo(1);
    assertThat(counted("history/count?group=orders&task=good")).isEqualTo(1);
    assertThat(counted("history/count?group=orders&task=no-such-task")).isEqualTo(0);
    assertThat(history("worker=worker-1")).hasSize(2);
    assertThat(history("worker=worker-2")).isEmpty();
    assertThat(history("group=elsewhere")).isEmpty();
    String claimed = String.valueOf(bad.claimedAt());
    assertThat(history("from=" + claimed)).extracting(HistoryItem::taskId).contains("bad");
    assertThat(history("to=2026-01-02T00:00:00Z")).isEmpty();
    assertThat(history("from=2090-01-01T00:00:00Z")).isEmpty();
    String end = String.valueOf(bad.finishedAt());
    assertThat(history("by=END&from=" + end)).extracting(HistoryItem::taskId).contains("bad");
    assertThat(history("by=END&to=" + end)).extracting(HistoryItem::taskId).doesNotContain("bad");
    assertThat(counted("history/count?by=end&task=bad&group=orders&to=" + end)).isEqualTo(0);
    assertThat(history("by=END&to=2090-01-01T00:00:00Z")).hasSize(2);
    assertThat(history("by=END&from=-999999999-01-01T00:00:00Z")).hasSize(2);
    assertThat(history("by=END&group=orders&task=good&order=OLDEST_FIRST")).hasSize(1);
    isRefused(
        console.ask("GET", "/api/v1/history?by=END&order=OLDEST_FIRST").send(),
        400,
        "by=END needs a task, or order=NEWEST_FIRST");
    assertThat(history("status=FAILED,succeeded")).hasSize(2);
    assertThat(history("status=FAILED,DEAD"))
        .extracting(HistoryItem::taskId)
        .containsExactly("bad");
    assertThat(history("from=%2B999999999-01-01T00:00:00Z")).isEmpty();
    assertThat(history("from=-999999999-01-01T00:00:00Z")).hasSize(2);
  }

  @Test
  void resultIsShownByItsExecutionAndItsLengthInLists() throws Exception {
    submit("value", ",\"params\":{\"end\":\"value\"}");
    awaitEnds(1);
    submit("good", ",\"params\":{\"end\":\"good\"}");
    awaitEnds(2);

    HistoryItem end = history("group=orders&task=value").get(0);
    HistoryItem without = history("group=orders&task=good").get(0);
    ExecutionDetail detail =
        console.ask("GET", "/api/v1/executions/" + end.id()).send().as(ExecutionDetail.class);

    assertThat(detail.result()).contains("\"html\":\"<b>\"").contains("\"total\":3");
    assertThat(end.resultBytes()).isEqualTo(Objects.requireNonNull(detail.result()).length());
    assertThat(detail.ended()).isEqualTo(end);
    assertThat(end.message()).isEqualTo("three");
    assertThat(without.resultBytes()).isNull();
    assertThat(
            console
                .ask("GET", "/api/v1/executions/" + without.id())
                .send()
                .as(ExecutionDetail.class)
                .result())
        .isNull();
  }

  @Test
  void historyOfARecurringJobIsPaged() throws Exception {
    submit("again", ",\"schedule\":{\"cron\":\"0 0 0 1 1 ?\"},\"params\":{\"end\":\"good\"}");
    for (int run = 1; run <= 3; run++) {
      console.ask("POST", "/api/v1/jobs/orders/again/run").json("{}").send();
      awaitEnds(run);
    }
    submit("other", ",\"params\":{\"end\":\"good\"}");
    awaitEnds(4);

    assertThat(history("group=orders&task=again&limit=1"))
        .extracting(HistoryItem::ordinal)
        .containsExactly(3, 2, 1);
    JobDetail job = console.ask("GET", "/api/v1/jobs/orders/again").send().as(JobDetail.class);
    assertThat(Objects.requireNonNull(job.progress().lastEnd()).ordinal()).isEqualTo(3);
  }

  @Test
  void whatCannotBeAskedIsRefused() throws Exception {
    isRefused(console.ask("GET", "/api/v1/executions?task=a").send(), 400, "needs a group");
    isRefused(console.ask("GET", "/api/v1/executions/count?task=a").send(), 400, "needs a group");
    isRefused(console.ask("GET", "/api/v1/history/count?task=a").send(), 400, "needs a group");
    isRefused(console.ask("GET", "/api/v1/history?task=a").send(), 400, "needs a group");
    isRefused(console.ask("GET", "/api/v1/executions?group=nobody").send(), 404, "no node group");
    isRefused(console.ask("GET", "/api/v1/executions?after=x").send(), 400, "after");
    isRefused(console.ask("GET", "/api/v1/history?from=yesterday").send(), 400, "from");
    isRefused(console.ask("GET", "/api/v1/history?status=GOOD").send(), 400, "SUCCEEDED");
    isRefused(console.ask("GET", "/api/v1/executions/x").send(), 400, "must be an id");
  }

  @Test
  void executionSaysHowFarItHasCome() throws Exception {
    submit("steps", "");
    await().atMost(PATIENCE).until(() -> executions("group=orders").size() == 1);
    String id = executions("group=orders").get(0).id();

    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              ExecutionDetail detail =
                  console.ask("GET", "/api/v1/executions/" + id).send().as(ExecutionDetail.class);
              assertThat(detail.kept()).isNotNull();
              assertThat(detail.kept())
                  .matches(kept -> kept.checkpointAt() != null)
                  .matches(kept -> kept.steps().get(0).name().equals("charge"));
              assertThat(isFortyPerCent(Objects.requireNonNull(detail.underWay()))).isTrue();
            });
    assertThat(executions("group=orders")).hasSize(1).allMatch(ExecutionRoutesTest::isFortyPerCent);
    assertThat(executions("group=orders&task=steps")).allMatch(ExecutionRoutesTest::isFortyPerCent);
    assertThat(console.ask("GET", "/api/v1/workers/worker-1").send().as(WorkerDetail.class))
        .extracting(detail -> detail.executing().get(0).progress())
        .isEqualTo(executions("worker=worker-1").get(0).progress());
  }

  private static boolean isFortyPerCent(ExecutionSummary row) {
    ProgressSummary said = row.progress();
    return said != null
        && said.done() == 40
        && said.total() == 100
        && "of the files".equals(said.message());
  }

  @Test
  void statusIsWhatAClientIsTold() throws Exception {
    submit("value", ",\"params\":{\"end\":\"value\"}");
    awaitEnds(1);
    submit("held", "");
    ExecutionSummary running = awaitExecution("held");
    submit("later", ",\"schedule\":{\"at\":\"2030-01-01T00:00:00Z\"}");
    String submission = String.valueOf(history("group=orders&task=value").get(0).submissionId());

    try (JobClient client = JobClient.builder().trackers(console.tracker().address()).build()) {
      JobStatus ended = status("orders/value/status?submission=" + submission);
      assertThat(ended)
          .usingRecursiveComparison()
          .ignoringFields("asOf")
          .isEqualTo(client.status(new JobHandle("orders", "value", submission)));
      assertThat(Objects.requireNonNull(ended.lastEnd()).result()).contains("\"total\":3");
      JobStatus held = status("orders/held/status");
      assertThat(held)
          .usingRecursiveComparison()
          .ignoringFields("asOf")
          .isEqualTo(client.status("orders", "held"));
      assertThat(held.executions())
          .extracting(execution -> String.valueOf(execution.id()))
          .containsExactly(running.id());
    }
    assertThat(status("orders/later/status").nextFireTimes())
        .containsExactly(Instant.parse("2030-01-01T00:00:00Z"));
    assertThat(status("orders/value/status").state()).isEqualTo(JobStatus.State.NOT_KNOWN);
    assertThat(status("orders/held/status?submission=another").isKnown()).isFalse();
    assertThat(status("nobody/held/status").isKnown()).isFalse();
    isRefused(
        console.ask("GET", "/api/v1/jobs/orders/held/status?submission=" + "x".repeat(41)).send(),
        400,
        "1 to 40");
  }

  private JobStatus status(String path) throws IOException, InterruptedException {
    Answered answered = console.ask("GET", "/api/v1/jobs/" + path).send();
    assertThat(answered.status()).as(answered.body()).isEqualTo(200);
    return answered.as(JobStatus.class);
  }

  @Test
  void attemptOfARunThatGoesOnShowsTheStepsThatAreDone() throws Exception {
    submit(
        "steps",
        ",\"params\":{\"end\":\"thrown\"},\"retry\":{\"maxRetries\":1,\"firstDelay\":\"PT5M\"}");
    awaitEnds(1);

    String id = history("group=orders&task=steps").get(0).id();
    ExecutionDetail detail =
        console.ask("GET", "/api/v1/executions/" + id).send().as(ExecutionDetail.class);

    assertThat(Objects.requireNonNull(detail.ended()).status()).isEqualTo(LedgerStatus.RETRIED);
    assertThat(Objects.requireNonNull(detail.kept()).steps())
        .extracting(StepDone::name)
        .containsExactly("charge");
  }

  private List<String> underWay(String query) throws IOException, InterruptedException {
    List<String> tasks = new ArrayList<>();
    String after = "";
    while (after != null) {
      Answered answered = console.ask("GET", "/api/v1/executions?" + query + after).send();
      assertThat(answered.status()).as(answered.body()).isEqualTo(200);
      ExecutionPage page = answered.as(ExecutionPage.class);
      page.items().forEach(row -> tasks.add(row.taskId()));
      after = page.next() == null ? null : "&after=" + page.next();
    }
    return tasks;
  }

  @Test
  void executionsAreListedFromEitherEnd() throws Exception {
    for (String task : List.of("first", "second", "third")) {
      submit(task, "");
      ExecutionSummary unused = awaitExecution(task);
    }

    for (String search : List.of("", "group=orders&", "worker=worker-1&")) {
      for (int limit = 1; limit <= 4; limit++) {
        String page = search + "limit=" + limit;
        assertThat(underWay(page)).containsExactly("first", "second", "third");
        assertThat(underWay(page + "&order=OLDEST_FIRST"))
            .containsExactly("first", "second", "third");
        assertThat(underWay(page + "&order=NEWEST_FIRST"))
            .containsExactly("third", "second", "first");
      }
    }
    assertThat(underWay("group=orders&task=second&order=NEWEST_FIRST&limit=1"))
        .containsExactly("second");
  }
}
