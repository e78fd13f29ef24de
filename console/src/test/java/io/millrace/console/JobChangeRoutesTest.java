package io.millrace.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.millrace.api.ChangeStatus;
import io.millrace.api.Declaration;
import io.millrace.api.DeclareResult;
import io.millrace.api.Job;
import io.millrace.api.MisfirePolicy;
import io.millrace.api.SubmitStatus;
import io.millrace.console.RunningConsole.Answered;
import io.millrace.console.api.job.JobChangeRoutes.CancelledJob;
import io.millrace.console.api.job.JobChangeRoutes.ChangedJob;
import io.millrace.console.api.job.JobChangeRoutes.ExtraTrigger;
import io.millrace.console.api.job.JobChangeRoutes.StoredJob;
import io.millrace.console.api.job.JobCondition;
import io.millrace.console.api.job.JobDetail;
import io.millrace.console.api.job.JobPause;
import io.millrace.console.api.job.JobRoutes.JobPage;
import io.millrace.console.api.job.JobSummary;
import io.millrace.console.http.Problem;
import io.millrace.jobclient.JobClient;
import io.millrace.jobtracker.store.TestDatabase;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JobChangeRoutesTest {
  private static final String TRACE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  private static final String OTHER_TRACE =
      "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

  private static RunningConsole console;

  @BeforeAll
  static void open() {
    console = RunningConsole.over(TestDatabase.h2());
  }

  @AfterAll
  static void close() {
    console.close();
  }

  private static Answered submit(String json) throws IOException, InterruptedException {
    return console
        .ask("POST", "/api/v1/jobs")
        .json("{\"nodeGroup\":\"orders\"," + json.substring(1))
        .send();
  }

  private static Answered change(String task, String verb, String json)
      throws IOException, InterruptedException {
    return console.ask("POST", "/api/v1/jobs/orders/" + task + "/" + verb).json(json).send();
  }

  private static Answered change(String task, String verb)
      throws IOException, InterruptedException {
    return console.ask("POST", "/api/v1/jobs/orders/" + task + "/" + verb).send();
  }

  private static JobDetail job(String task) throws IOException, InterruptedException {
    return console.ask("GET", "/api/v1/jobs/orders/" + task).send().as(JobDetail.class);
  }

  private static void isRefused(Answered answered, int status, String why) {
    assertThat(answered.status()).as(answered.body()).isEqualTo(status);
    Problem problem = answered.as(Problem.class);
    assertThat(problem.code() == null ? problem.detail() : problem.code() + ": " + problem.detail())
        .contains(why);
    assertThat(problem.detail()).doesNotContain(problem.code() + ": ");
  }

  @Test
  void editOfADeclaredJobIsDoneAndSaysUntilWhenItStays() throws Exception {
    try (JobClient client = JobClient.builder().trackers(console.tracker().address()).build()) {
      DeclareResult result =
          client.declare(
              Declaration.builder()
                  .owner("billing")
                  .revision(7)
                  .jobs(
                      List.of(Job.builder("orders", "declared").every(Duration.ofHours(1)).build()))
                  .build());
      assertThat(result.isComplete()).isTrue();
    }
    Answered shown = console.ask("GET", "/api/v1/jobs/orders/declared").send();
    JobDetail.Declared declared = Objects.requireNonNull(shown.as(JobDetail.class).declared());
    assertThat(declared.owner()).isEqualTo("billing");
    assertThat(declared.revision()).isEqualTo(7);
    assertThat(console.ask("GET", "/api/v1/jobs?owner=billing").send().as(JobPage.class).items())
        .extracting(JobSummary::taskId, JobSummary::owner)
        .containsExactly(tuple("declared", "billing"));
    assertThat(console.ask("GET", "/api/v1/jobs?owner=shop").send().as(JobPage.class).items())
        .isEmpty();

    Answered same = console.ask("PUT", "/api/v1/jobs/orders/declared").json(shown.body()).send();

    assertThat(same.status()).as(same.body()).isEqualTo(200);
    assertThat(same.as(StoredJob.class).note())
        .contains("declared by 'billing'", "until its owner declares the job differently");
    assertThat(console.ask("GET", "/api/v1/jobs/orders/declared/explain").send().body())
        .contains("Declared by billing, revision 7,", "edited since by operator");
  }

  @Test
  void jobIsStoredAsItWasAskedFor() throws Exception {
    Answered answered =
        submit(
            """
            {"taskId": "report", "schedule": {"cron": "0 0 3 * * ?", "zone": "Asia/Shanghai",
             "at": "2030-01-01T00:00:00Z", "until": "2040-01-01T00:00:00Z"},
             "params": {"a": "1", "b": "ä"}, "priority": 7, "handler": "printer",
             "retry": {"maxRetries": 5}, "timeout": "PT1M",
             "overlap": {"kind": "QUEUE", "limit": 3}, "misfire": {"kind": "ALL", "cap": 9}}\
            """);

    assertThat(answered.status()).as(answered.body()).isEqualTo(201);
    assertThat(answered.as(StoredJob.class))
        .isEqualTo(new StoredJob("orders", "report", SubmitStatus.ACCEPTED, null));
    JobDetail job = job("report");
    assertThat(job.state()).isEqualTo(JobCondition.ACTIVE);
    assertThat(job.schedule().cron()).isEqualTo("0 0 3 * * ?");
    assertThat(job.schedule().zone()).hasToString("Asia/Shanghai");
    assertThat(job.schedule().at()).isEqualTo("2030-01-01T00:00:00Z");
    assertThat(job.schedule().until()).isEqualTo("2040-01-01T00:00:00Z");
    assertThat(job.progress().nextFireAt()).isEqualTo("2030-01-01T19:00:00Z");
    assertThat(job.settings().params()).isEqualTo(Map.of("a", "1", "b", "ä"));
    assertThat(job.settings().priority()).isEqualTo(7);
    assertThat(job.settings().handler()).isEqualTo("printer");
    assertThat(job.settings().retry().maxRetries()).isEqualTo(5);
    assertThat(job.settings().retry().firstDelay()).isEqualTo(Duration.ofSeconds(1));
    assertThat(job.settings().timeout()).isEqualTo(Duration.ofMinutes(1));
    assertThat(Objects.requireNonNull(job.settings().overlap()).limit()).isEqualTo(3);
    assertThat(job.progress().running()).isZero();
    MisfirePolicy misfire = Objects.requireNonNull(job.settings().misfire());
    assertThat(misfire.cap()).isEqualTo(9);
    assertThat(misfire.window()).isEqualTo(Duration.ofHours(1));
    assertThat(job.origin().submittedBy()).isEqualTo("operator/admin");
    assertThat(job.origin().feedback()).isFalse();
  }

  @Test
  void jobOfAKeyThatLivesIsADuplicateUnlessItIsToReplaceIt() throws Exception {
    assertThat(submit("{\"taskId\":\"twice\",\"schedule\":{\"every\":\"PT1H\"}}").status())
        .isEqualTo(201);

    isRefused(submit("{\"taskId\":\"twice\",\"schedule\":{\"every\":\"PT2H\"}}"), 409, "twice");
    Answered replaced =
        submit("{\"taskId\":\"twice\",\"schedule\":{\"every\":\"PT2H\"},\"replaceExisting\":true}");

    assertThat(replaced.status()).isEqualTo(200);
    assertThat(replaced.as(StoredJob.class).status()).isEqualTo(SubmitStatus.REPLACED);
    assertThat(job("twice").schedule().every()).isEqualTo(Duration.ofHours(2));
    assertThat(job("twice").version()).isEqualTo(2);
  }

  @Test
  void resendOfASubmissionIsKnownAgain() throws Exception {
    String job =
        "{\"taskId\":\"resent\",\"schedule\":{\"every\":\"PT1H\"},\"submissionId\":\"mine-1\"}";

    assertThat(submit(job).status()).isEqualTo(201);
    assertThat(submit(job).status()).isEqualTo(201);

    assertThat(job("resent").version()).isEqualTo(1);
    assertThat(job("resent").origin().submissionId()).isEqualTo("mine-1");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"taskId\":\"x\",\"schedule\":{\"cron\":\"0 0 3 * *  ? * * *\"}} | 422 | BAD_CRON: ",
        "{\"taskId\":\"x\",\"schedule\":{\"cron\":\"0 0 0 30 2 ?\"}} | 422 | NEVER_FIRES",
        "{\"taskId\":\"x\",\"priority\":256} | 422 | BAD_PRIORITY",
        "{\"taskId\":\" x\"} | 422 | BAD_TASK_ID",
        "{\"taskId\":\"x\",\"schedule\":{\"every\":\"PT1S\",\"cron\":\"@daily\"}} | 422 | one of"
            + " cron, every",
        "{\"taskId\":\"x\",\"schedule\":{\"zone\":\"UTC\"}} | 422 | zone",
        "{\"taskId\":\"x\",\"overlap\":{\"kind\":\"QUEUE\"},\"schedule\":{\"every\":\"PT1S\"}} |"
            + " 422 | OVERLAP",
        "{\"taskId\":\"x\",\"traceParent\":\"00-1\"} | 422 | BAD_TRACE_CONTEXT",
        "{\"taskId\":\"x\",\"traceParent\":\"\"} | 422 | BAD_TRACE_CONTEXT",
        "{\"taskId\":\"x\",\"prioritty\":1} | 400 | has no field 'prioritty'",
        "{\"taskId\":\"x\",\"retry\":{\"max\":1}} | 400 | retry has no field 'max'",
        "{\"taskId\":\"x\",\"overlap\":{\"kind\":\"SKP\"}} | 400 | overlap.kind is not one of",
        "{\"taskId\":\"x\",\"feedback\":true} | 400 | has no field 'feedback'",
        "{\"taskId\":\"x\",\"schedule\":{\"every\":\"1 h\"}} | 400 | schedule.every is not an"
            + " ISO-8601 duration",
        "{\"taskId\":\"x\",\"every\":\"PT1H\"} | 400 | has no field 'every'; it may have nodeGroup",
        "{\"task\":\"x\"} | 400 | has no field 'task'"
      })
  void jobThatCannotBeIsRefusedWithTheReason(String json, int status, String why) throws Exception {
    isRefused(submit(json), status, why);
    assertThat(console.ask("GET", "/api/v1/jobs/orders/x").send().status()).isEqualTo(404);
  }

  @Test
  void traceIsThatOfTheBodyOrElseOfTheRequest() throws Exception {
    assertThat(submitTraced("untraced", "", null, null)).isNull();
    assertThat(submitTraced("by-body", TRACE, null, null)).isEqualTo(TRACE);
    assertThat(submitTraced("by-both", TRACE, OTHER_TRACE, null)).isEqualTo(TRACE);
    assertThat(submitTraced("by-header", "", OTHER_TRACE, "vendor=1")).isEqualTo(OTHER_TRACE);
    assertThat(traceStateOf("by-header")).contains("\"traceState\":\"vendor=1\"");
    assertThat(submitTraced("bad-state", "", OTHER_TRACE, "no state")).isEqualTo(OTHER_TRACE);
    assertThat(traceStateOf("bad-state")).doesNotContain("traceState");
    assertThat(submitTraced("bad-header", "", "00-0-0-0", "vendor=1")).isNull();

    Answered replaced =
        console
            .ask("PUT", "/api/v1/jobs/orders/by-body")
            .header("traceparent", OTHER_TRACE)
            .json("{\"schedule\":{\"every\":\"PT3H\"}}")
            .send();
    assertThat(replaced.status()).as(replaced.body()).isEqualTo(200);
    assertThat(job("by-body").origin().traceParent()).isEqualTo(OTHER_TRACE);
  }

  /** Submits a job, and returns the trace parent that it has. */
  private static @Nullable String submitTraced(
      String task, String body, @Nullable String parent, @Nullable String state)
      throws IOException, InterruptedException {
    RunningConsole.Asked asked = console.ask("POST", "/api/v1/jobs");
    if (parent != null) {
      asked.header("traceparent", parent);
    }
    if (state != null) {
      asked.header("tracestate", state);
    }
    String trace = body.isEmpty() ? "" : ",\"traceParent\":\"" + body + "\"";
    Answered answered =
        asked
            .json(
                "{\"nodeGroup\":\"orders\",\"taskId\":\""
                    + task
                    + "\",\"schedule\":{\"every\":\"PT1H\"}"
                    + trace
                    + "}")
            .send();
    assertThat(answered.status()).as(answered.body()).isEqualTo(201);
    return job(task).origin().traceParent();
  }

  private static String traceStateOf(String task) throws Exception {
    return console
        .database()
        .query("SELECT spec FROM jt_job WHERE task_id = '" + task + "'")
        .get(0);
  }

  @Test
  void replacingKeepsWhoIsToldTheEndsOfTheJob() throws Exception {
    try (JobClient client =
        JobClient.builder().trackers(console.tracker().address()).clientGroup("billing").build()) {
      assertThat(
              client
                  .submit(
                      Job.builder("orders", "told")
                          .every(Duration.ofHours(1))
                          .feedback(true)
                          .build())
                  .isStored())
          .isTrue();
    }

    Answered answered =
        console
            .ask("PUT", "/api/v1/jobs/orders/told")
            .json("{\"schedule\":{\"every\":\"PT3H\"},\"params\":{\"a\":\"1\"}}")
            .send();

    assertThat(answered.status()).as(answered.body()).isEqualTo(200);
    assertThat(answered.as(StoredJob.class).status()).isEqualTo(SubmitStatus.REPLACED);
    JobDetail job = job("told");
    assertThat(job.schedule().every()).isEqualTo(Duration.ofHours(3));
    assertThat(job.settings().params()).isEqualTo(Map.of("a", "1"));
    assertThat(job.origin().feedback()).isTrue();
    assertThat(job.origin().clientGroup()).isEqualTo("billing");
    assertThat(job.origin().submittedBy()).isEqualTo("operator/admin");
  }

  @Test
  void onlyWhatLivesIsReplaced() throws Exception {
    submit("{\"taskId\":\"gone\",\"schedule\":{\"every\":\"PT1H\"}}");
    change("gone", "cancel");

    isRefused(
        console
            .ask("PUT", "/api/v1/jobs/orders/gone")
            .json("{\"schedule\":{\"every\":\"PT3H\"}}")
            .send(),
        404,
        "job orders/gone no longer exists");
    isRefused(
        console
            .ask("PUT", "/api/v1/jobs/orders/never")
            .json("{\"schedule\":{\"every\":\"PT3H\"}}")
            .send(),
        404,
        "no job orders/never");
  }

  @Test
  void pauseIsKeptWithWhoAndWhyUntilTheJobIsResumed() throws Exception {
    submit("{\"taskId\":\"paused\",\"schedule\":{\"every\":\"PT1H\"}}");

    ChangedJob paused =
        change("paused", "pause", "{\"reason\":\"the printer burns\"}").as(ChangedJob.class);
    assertThat(paused.status()).isEqualTo(ChangeStatus.CHANGED);
    JobDetail job = job("paused");
    assertThat(job.state()).isEqualTo(JobCondition.PAUSED);
    JobPause pause = Objects.requireNonNull(job.progress().pause());
    assertThat(pause.by()).isEqualTo("operator/admin");
    assertThat(pause.reason()).isEqualTo("the printer burns");
    assertThat(job.progress().nextFireAt()).isNull();
    assertThat(job.progress().nextTrigger()).isNull();
    assertThat(change("paused", "pause", "{}").as(ChangedJob.class).status())
        .isEqualTo(ChangeStatus.UNCHANGED);

    assertThat(change("paused", "resume").as(ChangedJob.class).status())
        .isEqualTo(ChangeStatus.CHANGED);
    assertThat(job("paused").state()).isEqualTo(JobCondition.ACTIVE);
    assertThat(job("paused").progress().pause()).isNull();
  }

  @Test
  void jobIsRunOnceMoreWithParametersOfItsOwn() throws Exception {
    submit(
        "{\"taskId\":\"again\",\"schedule\":{\"cron\":\"0 0 0 1 1 ?\"},\"params\":{\"a\":\"1\"}}");
    String run = "{\"params\":{\"a\":\"2\"},\"submissionId\":\"run-1\"}";

    Answered answered = change("again", "run", run);

    assertThat(answered.status()).as(answered.body()).isEqualTo(201);
    ExtraTrigger extra = answered.as(ExtraTrigger.class);
    assertThat(extra.ordinal()).isEqualTo(1);
    assertThat(change("again", "run", run).as(ExtraTrigger.class).ordinal()).isEqualTo(1);
    assertThat(change("again", "run", "{}").as(ExtraTrigger.class).ordinal()).isEqualTo(2);
    assertThat(
            console
                .database()
                .query("SELECT params FROM jt_waiting_orders WHERE task_id = 'again' ORDER BY id"))
        .containsExactly("{\"a\":\"2\"}", "{\"a\":\"1\"}");
  }

  @Test
  void oneShotIsCancelledAndNothingElse() throws Exception {
    submit("{\"taskId\":\"once\",\"schedule\":{\"after\":\"PT1H\"},\"params\":{\"a\":\"1\"}}");

    JobDetail waiting = job("once");
    assertThat(waiting.state()).isEqualTo(JobCondition.WAITING);
    assertThat(waiting.settings().params()).isEqualTo(Map.of("a", "1"));
    assertThat(waiting.progress().nextTrigger()).isNotNull();
    isRefused(change("once", "pause", "{}"), 409, "one-shot");
    isRefused(change("once", "run", "{}"), 409, "one-shot");

    Answered cancelled = console.ask("DELETE", "/api/v1/jobs/orders/once").send();
    assertThat(cancelled.as(CancelledJob.class)).isEqualTo(new CancelledJob(1, 0));
    isRefused(change("once", "cancel"), 404, "no live job orders/once");
  }

  @Test
  void whatHasEndedIsNotChanged() throws Exception {
    submit("{\"taskId\":\"ended\",\"schedule\":{\"every\":\"PT1H\"}}");
    assertThat(change("ended", "cancel").status()).isEqualTo(200);

    assertThat(job("ended").state()).isEqualTo(JobCondition.CANCELLED);
    isRefused(change("ended", "pause", "{}"), 409, "CANCELLED");
    isRefused(change("ended", "resume"), 409, "CANCELLED");
    isRefused(change("ended", "run", "{}"), 409, "CANCELLED");
    isRefused(change("ended", "cancel"), 404, "no live job");
  }

  @Test
  void reasonThatIsTooLongIsRefused() throws Exception {
    submit("{\"taskId\":\"long\",\"schedule\":{\"every\":\"PT1H\"}}");

    isRefused(change("long", "pause", "{\"reason\":\"" + "x".repeat(1_001) + "\"}"), 400, "1001");
  }

  @Test
  void taskIdOfAnyCharactersIsReachedPercentEncoded() throws Exception {
    submit("{\"taskId\":\"a/b c?d%25:ä\",\"schedule\":{\"every\":\"PT1H\"}}");
    String task = "a%2Fb%20c%3Fd%2525:%C3%A4";

    assertThat(job(task).taskId()).isEqualTo("a/b c?d%25:ä");
    assertThat(change(task, "cancel").status()).isEqualTo(200);
  }
}
