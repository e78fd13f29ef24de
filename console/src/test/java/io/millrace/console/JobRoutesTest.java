package io.millrace.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.millrace.api.Explanation;
import io.millrace.api.FactKind;
import io.millrace.console.RunningConsole.Answered;
import io.millrace.console.api.Fire;
import io.millrace.console.api.JobRun;
import io.millrace.console.api.job.FireList;
import io.millrace.console.api.job.JobCondition;
import io.millrace.console.api.job.JobDetail;
import io.millrace.console.api.job.JobRoutes.JobPage;
import io.millrace.console.api.job.JobSummary;
import io.millrace.console.api.list.ListCount;
import io.millrace.console.http.Problem;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.domain.trigger.TriggerCore;
import io.millrace.jobtracker.domain.trigger.TriggerKey;
import io.millrace.jobtracker.store.TestDatabase;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JobRoutesTest {
  private static RunningConsole console;

  @BeforeAll
  static void open() throws IOException, InterruptedException {
    console = RunningConsole.over(TestDatabase.h2());
    submit(
        "bills",
        "daily-a",
        "\"schedule\":{\"cron\":\"0 0 3 * * ?\"},\"handler\":\"printer\","
            + "\"overlap\":{\"kind\":\"ALLOW\"}");
    submit(
        "bills", "daily-b", "\"schedule\":{\"cron\":\"0 30 2 ? 3 1L\",\"zone\":\"Europe/Berlin\"}");
    submit(
        "bills", "weekly", "\"schedule\":{\"every\":\"PT168H\"},\"overlap\":{\"kind\":\"SKIP\"}");
    submit(
        "orders",
        "Daily-c",
        "\"schedule\":{\"fixedDelay\":\"PT1H\",\"at\":\"2030-01-01T00:00:00Z\"}");
    submit("orders", "once", "\"schedule\":{\"at\":\"2030-01-01T00:00:00Z\"}");
    console.ask("POST", "/api/v1/jobs/bills/daily-a/pause").json("{\"reason\":\"r\"}").send();
  }

  @AfterAll
  static void close() {
    console.close();
  }

  private static void submit(String group, String task, String more)
      throws IOException, InterruptedException {
    Answered answered =
        console
            .ask("POST", "/api/v1/jobs")
            .json("{\"nodeGroup\":\"%s\",\"taskId\":\"%s\",%s}".formatted(group, task, more))
            .send();
    assertThat(answered.status()).as(answered.body()).isEqualTo(201);
  }

  private static JobPage list(String query) throws IOException, InterruptedException {
    Answered answered = console.ask("GET", "/api/v1/jobs?" + query).send();
    assertThat(answered.status()).as(answered.body()).isEqualTo(200);
    return answered.as(JobPage.class);
  }

  private static FireList next(String job) throws IOException, InterruptedException {
    return console.ask("GET", "/api/v1/jobs/" + job).send().as(FireList.class);
  }

  @Test
  void pagesFollowOneAnother() throws Exception {
    List<String> found = new ArrayList<>();
    JobPage page = list("limit=1");
    while (true) {
      page.items().forEach(row -> found.add(row.nodeGroup() + "/" + row.taskId()));
      if (page.next() == null) {
        break;
      }
      page = list("limit=1&after=" + page.next());
    }

    assertThat(found)
        .containsExactly("bills/daily-a", "bills/daily-b", "bills/weekly", "orders/Daily-c");
  }

  @ParameterizedTest
  @CsvSource({
    "group=bills, daily-a daily-b weekly",
    "group=bills&prefix=daily, daily-a daily-b",
    "contains=DAILY, daily-a daily-b Daily-c",
    "state=paused, daily-a",
    "state=ACTIVE&group=bills, daily-b weekly",
    "handler=printer, daily-a",
    "prefix=Daily, Daily-c",
    "prefix=once, ''"
  })
  void listIsFiltered(String query, String expected) throws Exception {
    List<JobSummary> found = list(query).items();
    assertThat(String.join(" ", found.stream().map(JobSummary::taskId).toList()))
        .isEqualTo(expected);
    assertThat(console.ask("GET", "/api/v1/jobs/count?" + query).send().as(ListCount.class))
        .extracting(ListCount::count, ListCount::atLeast)
        .containsExactly(found.size(), false);
  }

  /** A run planned for a second of the day, which was due then, started 2 s and ended 5 s later. */
  private static LedgerEntry run(long jobId, int second, LedgerStatus status, int attempt) {
    long at = Instant.parse("2026-03-02T00:00:00Z").plusSeconds(second).toEpochMilli();
    Long startedAt = attempt == 0 ? null : (Long) (at + 2_000);
    return new LedgerEntry(
        1_000L * jobId + second * 10L + attempt,
        "bills",
        new TriggerCore(TriggerKey.planned("weekly", at), jobId, 1, at, attempt),
        status,
        true,
        null,
        at,
        1,
        new LedgerEntry.Times(at, at, startedAt, startedAt, at + 5_000),
        null,
        null,
        new LedgerEntry.Origin(null, null, null, null, null));
  }

  @Test
  void jobsComeWithTheirLastRunsIfAskedTo() throws Exception {
    JobDetail weekly = console.ask("GET", "/api/v1/jobs/bills/weekly").send().as(JobDetail.class);
    assertThat(weekly.lastRuns()).isNull();
    long id = Long.parseLong(weekly.id());
    console
        .tracker()
        .stores()
        .ledger()
        .append(
            List.of(
                run(id, 1, LedgerStatus.SUCCEEDED, 1),
                run(id, 2, LedgerStatus.RETRIED, 1),
                run(id, 2, LedgerStatus.DEAD, 2),
                run(id, 3, LedgerStatus.SKIPPED, 0)));

    assertThat(list("group=bills").items()).allMatch(job -> job.lastRuns() == null);
    List<JobSummary> jobs = list("group=bills&runs=20").items();
    assertThat(jobs.get(0).lastRuns()).isEmpty();
    List<JobRun> runs = Objects.requireNonNull(jobs.get(2).lastRuns());
    assertThat(runs)
        .extracting(JobRun::status, JobRun::attempt)
        .containsExactly(
            tuple(LedgerStatus.SKIPPED, 0),
            tuple(LedgerStatus.DEAD, 2),
            tuple(LedgerStatus.SUCCEEDED, 1));
    assertThat(runs.get(0).startedAt()).isNull();
    Instant due = Instant.parse("2026-03-02T00:00:02Z");
    assertThat(runs.get(1))
        .isEqualTo(
            new JobRun(
                String.valueOf(1_000 * id + 22),
                LedgerStatus.DEAD,
                2,
                due,
                due,
                due.plusSeconds(2),
                due.plusSeconds(5)));
    assertThat(list("group=bills&prefix=weekly&runs=2").items().get(0).lastRuns())
        .isEqualTo(runs.subList(0, 2));
    assertThat(
            console
                .ask("GET", "/api/v1/jobs/bills/weekly?runs=1")
                .send()
                .as(JobDetail.class)
                .lastRuns())
        .isEqualTo(runs.subList(0, 1));
    assertThat(console.ask("GET", "/api/v1/jobs?runs=21").send().status()).isEqualTo(400);
  }

  @Test
  void rowsSayWhatTheJobIsAndWhenItFires() throws Exception {
    List<JobSummary> rows = list("group=bills").items();

    JobSummary paused = rows.get(0);
    assertThat(paused.state()).isEqualTo(JobCondition.PAUSED);
    assertThat(Objects.requireNonNull(paused.pause()).reason()).isEqualTo("r");
    assertThat(paused.nextFireAt()).isNull();
    assertThat(paused.scheduleInWords()).isEqualTo("at 03:00, every day (UTC)");
    assertThat(paused.running()).isNull();
    assertThat(rows.get(1).nextFireAt()).isNotNull();
    assertThat(rows.get(2).scheduleInWords()).isEqualTo("every 168h");
    assertThat(rows.get(2).running()).isZero();
    assertThat(rows.get(2).queued()).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "after=AAAA, 400, after",
    "after=%2B%2B%2B, 400, after",
    "state=OPEN, 400, must be one of ACTIVE",
    "limit=0, 400, limit",
    "grp=a, 400, 'known parameters: group'",
    "group=nobody, 404, no node group"
  })
  void listThatCannotBeIsRefused(String query, int status, String why) throws Exception {
    Answered answered = console.ask("GET", "/api/v1/jobs?" + query).send();

    assertThat(answered.status()).as(answered.body()).isEqualTo(status);
    assertThat(answered.as(Problem.class).detail()).contains(why);
  }

  @Test
  void oneShotIsFoundWhileItLives() throws Exception {
    JobDetail once = console.ask("GET", "/api/v1/jobs/orders/once").send().as(JobDetail.class);

    assertThat(once.state()).isEqualTo(JobCondition.WAITING);
    assertThat(once.schedule().at()).isEqualTo("2030-01-01T00:00:00Z");
    assertThat(Objects.requireNonNull(once.progress().nextTrigger()).dueAt())
        .isEqualTo("2030-01-01T00:00:00Z");
    assertThat(next("orders/once/next").items())
        .containsExactly(
            new Fire(Instant.parse("2030-01-01T00:00:00Z"), "2030-01-01T00:00:00Z", null));
  }

  @Test
  void fireTimesAreThoseOfTheScheduleWithLocalTimesAndNotes() throws Exception {
    FireList fires = next("bills/daily-b/next?count=3");

    assertThat(fires.zone()).hasToString("Europe/Berlin");
    assertThat(fires.note()).isNull();
    assertThat(fires.items())
        .hasSize(3)
        .allSatisfy(
            fire -> {
              assertThat(fire.local()).endsWith("T03:00:00+02:00");
              assertThat(fire.note()).contains("02:30 does not exist");
            });
  }

  @Test
  void fireTimesOfAPausedJobAreThoseItWouldHave() throws Exception {
    FireList fires = next("bills/daily-a/next?count=2");

    assertThat(fires.note()).contains("paused");
    assertThat(Duration.between(fires.items().get(0).at(), fires.items().get(1).at()))
        .isEqualTo(Duration.ofDays(1));
  }

  @Test
  void ofAChainedJobTheOneThatWaitsIsKnown() throws Exception {
    FireList fires = next("orders/Daily-c/next");

    assertThat(fires.items())
        .extracting(Fire::at)
        .containsExactly(Instant.parse("2030-01-01T00:00:00Z"));
    assertThat(fires.note()).contains("when the previous run has ended");
  }

  @Test
  void explanationSaysWhyAJobDoesNotRun() throws Exception {
    Explanation explanation =
        console.ask("GET", "/api/v1/jobs/bills/daily-a/explain").send().as(Explanation.class);

    assertThat(explanation.isFound()).isTrue();
    assertThat(explanation.facts())
        .anySatisfy(fact -> assertThat(fact.text()).contains("operator/admin"))
        .anySatisfy(fact -> assertThat(fact.kind()).isEqualTo(FactKind.SCHEDULE));
  }

  @Test
  void explanationSaysInstantsByTheClocksOfAZone() throws Exception {
    String path = "/api/v1/jobs/bills/daily-a/explain";
    Explanation explanation =
        console.ask("GET", path + "?zone=Asia/Shanghai").send().as(Explanation.class);

    assertThat(explanation.facts().get(0).text())
        .containsPattern(
            "accepted at \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d(\\.\\d{3})? \\+08:00");
    Answered refused = console.ask("GET", path + "?zone=Mars/Base").send();
    assertThat(refused.status()).isEqualTo(400);
    assertThat(refused.as(Problem.class).detail())
        .contains("zone must be a time zone", "'Mars/Base'");
  }

  @Test
  void sentencesComeInChineseToo() throws Exception {
    Explanation explanation =
        console
            .ask("GET", "/api/v1/jobs/bills/daily-a/explain?language=zh")
            .send()
            .as(Explanation.class);
    assertThat(explanation.facts())
        .anySatisfy(fact -> assertThat(fact.text()).contains("operator/admin 暂停"));

    assertThat(list("group=bills&language=zh").items())
        .extracting(JobSummary::scheduleInWords)
        .allSatisfy(words -> assertThat(words).contains("每"))
        .contains("每 168 小时");
    assertThat(
            console
                .ask("GET", "/api/v1/jobs/bills/weekly?language=zh")
                .send()
                .as(JobDetail.class)
                .scheduleInWords())
        .isEqualTo("每 168 小时");
    assertThat(next("bills/daily-a/next?language=zh").note()).contains("已暂停");
    assertThat(next("bills/daily-b/next?language=zh").items().get(0).note()).contains("不存在");
    assertThat(next("orders/Daily-c/next?language=zh").words())
        .isEqualTo("上次执行结束 1 小时后，首次为 2030-01-01 00:00:00 UTC");
    assertThat(console.ask("GET", "/api/v1/jobs?language=fr").send().status()).isEqualTo(400);
  }

  @Test
  void whoeverMistypesATaskIdIsToldOfSimilarOnes() throws Exception {
    Answered answered = console.ask("GET", "/api/v1/jobs/bills/daily-x/explain").send();

    assertThat(answered.status()).isEqualTo(404);
    assertThat(answered.as(Problem.class).detail())
        .contains("no job bills/daily-x")
        .contains("daily-b");
  }
}
