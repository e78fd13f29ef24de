package io.millrace.scripts.operate;

import static io.millrace.scripts.operate.token.TokenCommandsTest.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Declaration;
import io.millrace.api.Explanation;
import io.millrace.api.Job;
import io.millrace.api.JobStatus;
import io.millrace.console.api.history.ExecutionRoutes.ExecutionDetail;
import io.millrace.console.api.history.ExecutionRoutes.ExecutionPage;
import io.millrace.console.api.history.ExecutionSummary;
import io.millrace.console.api.history.HistoryRoutes.HistoryPage;
import io.millrace.console.api.history.LogRoutes.LogItem;
import io.millrace.console.api.job.FireList;
import io.millrace.console.api.job.JobChangeRoutes.ChangedJob;
import io.millrace.console.api.job.JobChangeRoutes.StoredJob;
import io.millrace.console.api.job.JobDetail;
import io.millrace.console.api.job.JobRoutes.JobPage;
import io.millrace.console.api.job.JobSummary;
import io.millrace.console.api.trigger.TriggerRoutes.TriggerPage;
import io.millrace.internal.codec.JsonCodec;
import io.millrace.jobclient.JobClient;
import io.millrace.scripts.CommandRun;
import io.millrace.scripts.ExitCode;
import io.millrace.tasktracker.Result;
import io.millrace.tasktracker.TaskTracker;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The life of jobs as an operator leads it, with a real tracker and a real worker. */
@Timeout(120)
class OperatedJobsTest {
  private static final String YEARLY = "0 0 0 1 1 ?";
  private static final String TRACE = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

  @TempDir private Path directory;

  private final JsonCodec codec = new JsonCodec();
  private final LinkedBlockingQueue<String> ran = new LinkedBlockingQueue<>();
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
            .slots(2)
            .runner(
                context -> {
                  context.logger().info("begins\nwith " + context.params());
                  ran.add(context.taskId());
                  if (context.taskId().equals("talkative")) {
                    for (int row = 1; row <= 700; row++) {
                      if (row % 100 == 0) {
                        context.logger().warn("row " + row);
                      } else {
                        context.logger().info("row " + row);
                      }
                    }
                  }
                  if (context.taskId().equals("long")) {
                    context.step("charge", () -> {});
                    context.progress(40, "of the files");
                    mayEnd.await();
                  }
                  return context.taskId().equals("value")
                      ? Result.of(Map.of("total", 3), "done")
                      : Result.success("done");
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
  void jobIsSubmittedPausedRunExplainedResumedAndCancelled() throws InterruptedException {
    assertThat(change("submit", "--cron", YEARLY, "--zone", "Asia/Shanghai", "--param", "day=any"))
        .isEqualTo("ACCEPTED orders/report\n");
    assertThat(change("submit", "--cron", YEARLY)).startsWith("DUPLICATE orders/report: ");
    assertThat(change("submit", "--cron", YEARLY, "--replace"))
        .isEqualTo("REPLACED orders/report\n");

    assertThat(change("pause", "--reason", "out of ink")).startsWith("PAUSED orders/report: ");
    assertThat(change("pause")).startsWith("UNCHANGED orders/report: ").contains("operator/admin");
    assertThat(change("run", "--param", "day=monday"))
        .startsWith("ACCEPTED orders/report, extra run 1: ");
    assertThat(ran.take()).isEqualTo("report");
    assertThat(change("explain")).contains("out of ink", "operator/admin");
    assertThat(change("resume")).startsWith("RESUMED orders/report: ");
    assertThat(change("cancel")).startsWith("CANCELLED orders/report: ");
    assertThat(operated.done("audit").lines().map(line -> line.split(" +")[4]))
        .containsExactly(
            "ACTION",
            "cancelJob",
            "resumeJob",
            "runJob",
            "pauseJob",
            "pauseJob",
            "submitJob",
            "submitJob",
            "submitJob");
    assertThat(
            operated
                .done("versions", "orders", "report")
                .lines()
                .map(line -> line.strip().split(" +"))
                .map(cells -> String.join(" ", cells[0], cells[2], cells[3], cells[5])))
        .containsExactly(
            "VERSION SOURCE BY CHANGE",
            "4 OPERATOR admin cancelled",
            "2 OPERATOR admin defined",
            "1 OPERATOR admin defined");
  }

  @Test
  void everyKindOfScheduleGoesThroughTheApi() {
    submit("fixed", "--fixed-delay", "90s", "--times", "3", "--until", "2999-01-01T00:00:00Z");
    submit("rate", "--every", "1h", "--at", "2998-01-01T00:00:00Z", "--overlap", "queue:7");
    submit("soon", "--after", "2h", "--timeout", "5s", "--retry", "1", "--handler", "x");
    submit("missed", "--cron", "@daily", "--misfire", "all,window=10m,cap=5,after-pause");
    submit("traced", "--after", "2h", "--trace-parent", TRACE);
    submit("labelled", "--after", "2h", "--on", "gpu", "--on", "eu", "--stick-to", "customer-7");

    JobDetail fixed = detail("fixed");
    assertThat(fixed.schedule().fixedDelay()).hasSeconds(90);
    assertThat(fixed.schedule().times()).isEqualTo(3);
    assertThat(detail("rate").settings().overlap().limit()).isEqualTo(7);
    assertThat(detail("soon").settings().timeout()).hasSeconds(5);
    assertThat(detail("soon").settings().retry().maxRetries()).isEqualTo(1);
    assertThat(detail("missed").settings().misfire().cap()).isEqualTo(5);
    assertThat(detail("missed").settings().misfire().afterPause()).isTrue();
    assertThat(detail("traced").origin().traceParent()).isEqualTo(TRACE);
    assertThat(operated.done("job", "orders", "labelled"))
        .containsPattern("(?m)^labels +eu gpu, and no worker has eu gpu$")
        .containsPattern("(?m)^sticks to +customer-7$");
    assertThat(operated.done("job", "orders", "traced"))
        .containsPattern("(?m)^trace parent +" + TRACE + "$");
  }

  @Test
  void jobsAreListedAndFiltered() {
    submit("report", "--cron", YEARLY);
    submit("poll", "--every", "1h", "--at", "2998-01-01T00:00:00Z", "--handler", "http");
    operated.done("pause", "orders", "poll");

    String[] lines = operated.done("jobs").split("\n");
    assertThat(lines[0])
        .matches(
            "GROUP +TASK ID +STATE +NEXT FIRE TIME +RUNNING +QUEUED +HANDLER +OWNER +SCHEDULE");
    assertThat(lines[1]).matches("orders +poll +PAUSED +- .* http +- +every 1h.*");
    assertThat(lines[2]).matches("orders +report +ACTIVE +\\d{4}-01-01T00:00:00Z .*");

    assertThat(listed("--state", "paused")).containsExactly("poll");
    assertThat(listed("--handler", "http")).containsExactly("poll");
    assertThat(listed("--prefix", "re")).containsExactly("report");
    assertThat(listed("--contains", "EPOR", "--node-group", "orders")).containsExactly("report");
    assertThat(listed("--all", "--limit", "500")).containsExactly("poll", "report");
  }

  @Test
  void declaredJobsAreListedWithTheirOwnerAndFoundByIt() {
    submit("report", "--cron", YEARLY);
    try (JobClient client = JobClient.builder().trackers(operated.tracker().address()).build()) {
      Job poll = Job.builder("orders", "poll").every(Duration.ofHours(1)).build();
      client.declare(
          Declaration.builder().owner("billing").revision(7).jobs(List.of(poll)).build());
    }

    assertThat(listed()).containsExactly("poll", "report");
    assertThat(listed("--owner", "billing")).containsExactly("poll");
    assertThat(listed("--owner", "shop")).isEmpty();
    assertThat(operated.done("jobs", "--owner", "billing"))
        .containsPattern("orders +poll +ACTIVE .* billing +every 1h");
    assertThat(operated.done("job", "orders", "poll"))
        .containsPattern("(?m)^declared by +billing, revision 7$");
  }

  @Test
  void jobIsShownWithAllThatIsKnownOfIt() {
    submit(
        "report", "--cron", YEARLY, "--param", "a=1", "--param", "b=\u001b[2J", "--priority", "7");

    assertThat(operated.done("job", "orders", "report"))
        .containsPattern("(?m)^job +orders/report$")
        .containsPattern("(?m)^state +ACTIVE$")
        .containsPattern("(?m)^parameters +a=1, b= \\[2J$")
        .containsPattern("(?m)^priority +7$")
        .containsPattern("(?m)^submitted by +operator/admin$")
        .doesNotContain("\u001b");
    assertThat(detail("report").settings().priority()).isEqualTo(7);
  }

  @Test
  void fireTimesOfAJobAreShownAsThoseOfAnExpression() {
    submit("report", "--cron", "0 30 2 * * ?", "--zone", "America/New_York");

    CommandRun next = operated.run("next", "orders", "report", "--count", "2");
    assertThat(next.exitCode()).as(next.error()).isEqualTo(ExitCode.OK);
    assertThat(next.out().lines()).hasSize(2).allMatch(l -> l.matches("\\S+Z  \\S+T0[23]:.*"));
    assertThat(next.error()).contains("America/New_York");

    CommandRun json = operated.run("next", "orders", "report", "--json");
    assertThat(codec.decodeText(json.out(), FireList.class).items()).hasSize(10);
    assertRefused(
        operated.run("next", "orders", "report", "--cron", "@daily"), ExitCode.BAD_INPUT, "--cron");
    assertRefused(
        operated.run("next", "orders", "report", "--count", "201"), ExitCode.BAD_INPUT, "1 to 200");
  }

  @Test
  void whatRunsIsListedAndTerminated() throws InterruptedException {
    submit("long");
    assertThat(ran.take()).isEqualTo("long");

    ExecutionPage running =
        codec.decodeText(operated.done("running", "--json"), ExecutionPage.class);
    String id = running.items().get(0).id();
    assertThat(operated.done("running", "--node-group", "orders", "--task", "long"))
        .containsPattern(id + " +orders +long +-? *\\S+Z +1/4 +\\S+Z ");

    assertRefused(
        operated.run("terminate", "orders", "other", "--execution", id),
        ExitCode.FAILED,
        "no execution " + id + " of orders/other");
    assertThat(operated.done("terminate", "orders", "long", "--execution", id))
        .isEqualTo("TERMINATED orders/long: executions asked to stop: 1\n");
    CommandRun followed = operated.run("log", id, "-f");
    assertThat(followed.exitCode()).as(followed.error()).isEqualTo(ExitCode.OK);
    assertThat(followed.error()).startsWith("it has ended: ");
    assertRefused(operated.run("terminate", "orders", "long"), ExitCode.FAILED, "orders/long");
  }

  @Test
  void executionSaysHowFarItHasComeInTheListAndAlone() throws InterruptedException {
    submit("long");
    assertThat(ran.take()).isEqualTo("long");
    ExecutionPage running =
        operated.awaited(
            json -> codec.decodeText(json, ExecutionPage.class),
            page -> page.items().get(0).progress() != null,
            "running",
            "--json");
    ExecutionSummary row = running.items().get(0);

    assertThat(operated.done("running")).contains("PROGRESS").contains("  40/100, of the files\n");
    assertThat(operated.done("history", row.id()))
        .containsPattern("(?m)^job +orders/long$")
        .containsPattern("(?m)^state +RUNNING$")
        .containsPattern("(?m)^attempt +1/4$")
        .containsPattern("(?m)^progress +40/100, of the files$")
        .containsPattern("(?m)^STEP +STORED +FAULT\ncharge +\\S+Z +-$");
    String worker =
        operated.awaited(
            text -> text, text -> text.contains("of the files"), "workers", row.workerId());
    assertThat(worker).contains("PROGRESS").endsWith("  40/100, of the files\n");
    assertThat(operated.done("status", "orders", "long"))
        .containsPattern("(?m)^state +RUNNING$")
        .containsPattern("(?m)^executing +" + row.id() + ", attempt 1, on " + row.workerId());
    mayEnd.countDown();
    String ended = ended("long");
    assertThat(operated.done("history", ended))
        .containsPattern("(?m)^status +SUCCEEDED$")
        .containsPattern("(?m)^message +done$")
        .doesNotContain("STEP");
    assertRefused(operated.run("history", "42"), ExitCode.FAILED, "no execution 42");
  }

  @Test
  void statusIsWhatAClientIsToldOfTheJobAndOfItsEnd() throws InterruptedException {
    submit("value");
    assertThat(ran.take()).isEqualTo("value");
    String json = operated.done("history", ended("value"), "--json");
    String submission =
        String.valueOf(
            Objects.requireNonNull(codec.decodeText(json, ExecutionDetail.class).ended())
                .submissionId());
    assertThat(operated.done("status", "orders", "value", "--submission", submission))
        .containsPattern("(?m)^state +ENDED$")
        .containsPattern("(?m)^ended +SUCCEEDED at \\S+Z, planned for \\S+Z, attempt 1$")
        .containsPattern("(?m)^result +\\{\"total\":3}$");
    assertThat(Objects.requireNonNull(status("value", "--submission", submission).lastEnd()))
        .matches(end -> "{\"total\":3}".equals(end.result()));

    submit("value", "--at", "2998-01-01T00:00:00Z");
    JobStatus waiting = status("value");
    assertThat(waiting.state()).isEqualTo(JobStatus.State.WAITING);
    operated.done("cancel", "orders", "value");
    String cancelled = String.valueOf(waiting.submissionId());
    assertThat(operated.done("status", "orders", "value", "--submission", cancelled))
        .containsPattern("(?m)^ended +CANCELLED at \\S+Z, planned for 2998-01-01T00:00:00Z$");
    CommandRun gone = operated.run("status", "orders", "value", "--json");
    assertThat(codec.decodeText(gone.out(), JobStatus.class).isKnown()).isFalse();
    assertThat(gone.exitCode()).isEqualTo(ExitCode.FAILED);
  }

  private JobStatus status(String taskId, String... options) {
    String[] line =
        Stream.concat(Stream.of("status", "orders", taskId, "--json"), Stream.of(options))
            .toArray(String[]::new);
    return codec.decodeText(operated.done(line), JobStatus.class);
  }

  @Test
  void resultIsPrintedAndItsBytesAreListed() throws InterruptedException {
    submit("value");
    assertThat(ran.take()).isEqualTo("value");
    String id = ended("value");
    submit("quick");
    assertThat(ran.take()).isEqualTo("quick");
    String without = ended("quick");

    assertThat(operated.done("result", id)).isEqualTo("{\"total\":3}\n");
    assertThat(codec.decodeText(operated.done("result", id, "--json"), ExecutionDetail.class).id())
        .isEqualTo(id);
    assertThat(operated.done("history", "--node-group", "orders", "--task", "value"))
        .contains("RESULT")
        .containsPattern(id + " .* 11 +done\n");
    assertRefused(
        operated.run("result", without),
        ExitCode.FAILED,
        "execution " + without + " returned no value");
    assertRefused(operated.run("result", "42"), ExitCode.FAILED, "no execution 42");
  }

  @Test
  void logIsPrintedAndFollowedToItsEnd() throws InterruptedException {
    submit("quick", "--param", "a=1");
    assertThat(ran.take()).isEqualTo("quick");
    String id = ended("quick");

    CommandRun followed = operated.run("log", id, "-f");
    assertThat(followed.error()).isEqualTo("it has ended: SUCCEEDED\n");
    assertThat(followed.out()).containsPattern("(?s)^\\S+Z  INFO   begins\nwith \\{a=1\\}\n$");
    assertThat(operated.done("log", id)).isEqualTo(followed.out());
    assertThat(operated.done("log", id, "--after", "1")).isEmpty();
    CommandRun lines = operated.run("log", id, "--follow", "--json");
    assertThat(codec.decodeText(lines.out(), LogItem.class).text()).startsWith("begins");
    assertRefused(operated.run("log", "42", "-f"), ExitCode.FAILED, "no execution 42");
    assertRefused(operated.run("log", "42"), ExitCode.FAILED, "no execution 42");
    assertRefused(operated.run("log", "x"), ExitCode.BAD_INPUT, "'x'");
  }

  @Test
  void linesOfALogAreFoundByLevelAndTextAndFromItsEnd() throws InterruptedException {
    submit("talkative");
    assertThat(ran.take()).isEqualTo("talkative");
    String id = ended("talkative");
    assertThat(operated.run("log", id, "-f").out().lines()).hasSize(702);

    assertThat(operated.done("log", id, "--tail", "600").lines())
        .hasSize(600)
        .satisfies(
            lines -> {
              assertThat(lines.get(0)).endsWith("  INFO   row 101");
              assertThat(lines.get(599)).endsWith("  WARN   row 700");
            });
    assertThat(operated.done("log", id, "--level", "warn").lines()).hasSize(7);
    assertThat(operated.done("log", id, "--contains", "ROW 70").lines()).hasSize(2);
    assertThat(operated.done("log", id, "--tail=9", "--level=WARN", "--contains=row 1"))
        .containsPattern("^\\S+Z  WARN   row 100\n$");
    assertRefused(
        operated.run("log", id, "-f", "--tail", "3"), ExitCode.BAD_INPUT, "cannot be combined");
    assertRefused(
        operated.run("log", id, "--after", "1", "--tail", "3"),
        ExitCode.BAD_INPUT,
        "cannot be combined");
    assertRefused(operated.run("log", id, "--tail", "0"), ExitCode.BAD_INPUT, "at least 1");
  }

  @Test
  void historyIsListedAndFiltered() throws InterruptedException {
    submit("quick");
    assertThat(ran.take()).isEqualTo("quick");
    String id = ended("quick");

    String[] lines = operated.done("history").split("\n");
    assertThat(lines[0])
        .matches(
            "EXECUTION +ENDED +GROUP +TASK ID +PLANNED FOR +STATUS +ATTEMPT +LATE +RAN +WORKER"
                + " +RESULT +MESSAGE");
    assertThat(lines[1])
        .matches(id + " +\\S+Z +orders +quick +\\S+Z +SUCCEEDED +1 +\\S+s +\\S+s +\\S+ +- +done");
    CommandRun none =
        operated.run("history", "--status", "failed", "--from", "2026-01-01T00:00:00+01:00");
    assertThat(none.out()).isEmpty();
    assertThat(none.error()).isEqualTo("no entries\n");
    assertRefused(operated.run("history", "--task", "x"), ExitCode.BAD_INPUT, "needs a group");
    assertRefused(operated.run("history", "--status", "lost"), ExitCode.BAD_INPUT, "'lost'");
    assertRefused(operated.run("history", "--to", "now"), ExitCode.BAD_INPUT, "--to", "'now'");
  }

  @Test
  void whatWaitsIsListed() {
    submit("later", "--after", "1h", "--priority", "9");

    assertThat(operated.done("waiting", "orders"))
        .containsPattern("later +ONE_SHOT +WAITING +\\S+Z +- +\\S+Z +9 +1\n");
    TriggerPage page =
        codec.decodeText(
            operated.done("waiting", "orders", "--task", "later", "--json"), TriggerPage.class);
    assertThat(page.items()).hasSize(1);
    assertRefused(operated.run("waiting", "nobody"), ExitCode.FAILED, "nobody");
  }

  @Test
  void jsonIsWhatTheApiAnswered() {
    String stored = operated.done("submit", "orders", "report", "--cron", YEARLY, "--json");
    assertThat(codec.decodeText(stored, StoredJob.class).taskId()).isEqualTo("report");
    CommandRun again = operated.run("submit", "orders", "report", "--cron", YEARLY, "--json");
    assertThat(again.out()).contains("urn:millrace:problem:conflict");
    assertThat(again.exitCode()).isEqualTo(ExitCode.OK);
    String paused = operated.done("pause", "orders", "report", "--json");
    assertThat(codec.decodeText(paused, ChangedJob.class).running()).isZero();
    String explained = operated.done("explain", "orders", "report", "--json");
    assertThat(codec.decodeText(explained, Explanation.class).isFound()).isTrue();
    assertThat(operated.done("health", "--json")).isEqualTo("{\"status\":\"UP\"}\n");
    assertThat(operated.done("health")).isEqualTo("UP\n");
  }

  @Test
  void jobThatIsNotThereIsAFailure() {
    submit("report", "--cron", YEARLY);
    for (String command :
        new String[] {
          "job", "next", "explain", "status", "pause", "resume", "run", "terminate", "cancel"
        }) {
      assertRefused(operated.run(command, "orders", "reprot"), ExitCode.FAILED, "reprot");
      assertRefused(operated.run(command, "nobody", "report"), ExitCode.FAILED, "nobody");
    }
    assertRefused(
        operated.run("submit", "orders", "report", "--cron", "@daily", "--overlap", "queue:2000"),
        ExitCode.BAD_INPUT,
        "2000");
  }

  /** The id of the execution, once it is in the history. */
  private String ended(String taskId) {
    HistoryPage page =
        operated.awaited(
            json -> codec.decodeText(json, HistoryPage.class),
            history -> !history.items().isEmpty(),
            "history",
            "--node-group",
            "orders",
            "--task",
            taskId,
            "--json");
    return page.items().get(0).id();
  }

  private void submit(String taskId, String... options) {
    String[] line =
        Stream.concat(Stream.of("submit", "orders", taskId), Stream.of(options))
            .toArray(String[]::new);
    assertThat(operated.done(line)).isEqualTo("ACCEPTED orders/" + taskId + "\n");
  }

  private String change(String command, String... options) {
    return operated.done(
        Stream.concat(Stream.of(command, "orders", "report"), Stream.of(options))
            .toArray(String[]::new));
  }

  private JobDetail detail(String taskId) {
    return codec.decodeText(operated.done("job", "orders", taskId, "--json"), JobDetail.class);
  }

  private List<String> listed(String... options) {
    String[] line =
        Stream.concat(Stream.of("jobs", "--json"), Stream.of(options)).toArray(String[]::new);
    return codec.decodeText(operated.done(line), JobPage.class).items().stream()
        .map(JobSummary::taskId)
        .toList();
  }
}
