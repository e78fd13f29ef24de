package io.millrace.scripts.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.jobtracker.JobTracker;
import io.millrace.jobtracker.config.JobTrackerConfig;
import io.millrace.jobtracker.store.jdbc.connect.StoreConfig;
import io.millrace.scripts.CommandRun;
import io.millrace.scripts.ExitCode;
import io.millrace.tasktracker.Result;
import io.millrace.tasktracker.TaskTracker;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The life of jobs as the command line leads it, with a real tracker and a real worker. */
@Timeout(120)
class JobLifeTest {
  private static final int ANY_PORT = 0;
  private static final String YEARLY = "0 0 0 1 1 ?";

  @TempDir private Path directory;

  private final LinkedBlockingQueue<Map<String, String>> ran = new LinkedBlockingQueue<>();
  private JobTracker tracker;
  private TaskTracker worker;

  @BeforeEach
  void start() {
    StoreConfig store = StoreConfig.of("jdbc:h2:file:" + directory.resolve("store"), "sa", "");
    tracker = JobTracker.create(JobTrackerConfig.local(ANY_PORT, store));
    tracker.start();
    worker =
        TaskTracker.builder()
            .trackers(tracker.address())
            .nodeGroup("orders")
            .slots(1)
            .runner(
                context -> {
                  ran.add(context.params());
                  return Result.success();
                })
            .build();
    worker.start();
  }

  @AfterEach
  void stop() {
    worker.close();
    tracker.close();
  }

  @Test
  void jobIsPausedRunExplainedResumedAndCancelled() throws InterruptedException {
    String[] job = {
      "--cron", YEARLY, "--param", "day=any", "--overlap", "queue:5", "--until", "2999-01-01T00:00Z"
    };
    assertThat(done("submit", job)).startsWith("ACCEPTED orders/report");

    assertThat(done("pause", "--reason", "out of ink")).startsWith("PAUSED orders/report: ");
    assertThat(done("pause", "--reason", "another"))
        .startsWith("UNCHANGED orders/report: ")
        .contains("millrace-cli", System.getProperty("user.name") + "@", "out of ink")
        .doesNotContain("another");

    assertThat(done("run", "--param", "day=monday"))
        .startsWith("ACCEPTED orders/report, extra run 1: ");
    assertThat(ran.take()).isEqualTo(Map.of("day", "monday"));
    assertThat(done("run")).startsWith("ACCEPTED orders/report, extra run 2: ");
    assertThat(ran.take()).isEqualTo(Map.of("day", "any"));

    assertThat(done("explain")).contains("out of ink", System.getProperty("user.name") + "@");

    assertThat(done("resume")).startsWith("RESUMED orders/report: ");
    assertThat(done("resume")).startsWith("UNCHANGED orders/report: ");
    assertThat(done("explain")).containsPattern("(?m)^\\d{4}-01-01T00:00:00Z  ");

    assertThat(done("cancel")).startsWith("CANCELLED orders/report: ");
    assertThat(failed("pause")).contains("REFUSED orders/report: ", "CANCELLED");
    assertThat(failed("resume")).contains("REFUSED orders/report: ", "CANCELLED");
    assertThat(failed("run")).contains("REFUSED orders/report: ", "CANCELLED");
  }

  @Test
  void statusIsThatOfWhatLivesUnderTheKeyOrOfOneSubmission() throws InterruptedException {
    done("submit", "--after", "1h");
    String waiting = done("status");
    assertThat(waiting)
        .containsPattern("(?m)^job +orders/report$")
        .containsPattern("(?m)^state +WAITING$")
        .containsPattern("(?m)^due +\\S+Z$");
    String submission = waiting.replaceFirst("(?s)^.*\nsubmission +(\\S+)\n.*$", "$1");

    done("cancel");
    assertThat(failed("status")).contains("orders/report is not known", "--submission");
    assertThat(done("status", "--submission", submission))
        .containsPattern("(?m)^submission +" + submission + "$")
        .containsPattern("(?m)^state +ENDED$")
        .containsPattern("(?m)^ended +CANCELLED at \\S+Z, ");
    CommandRun none = run("status", "report", "--submission", "none");
    assertThat(none.error()).contains("submission none of job orders/report", "not known any more");
    assertThat(none.exitCode()).isEqualTo(ExitCode.FAILED);

    done("submit", "--cron", YEARLY);
    assertThat(done("status"))
        .containsPattern("(?m)^state +ACTIVE$")
        .containsPattern("(?m)^next fire times +\\d{4}-01-01T00:00:00Z, ");
  }

  @Test
  void oneShotsAreCancelledAndNotPaused() {
    assertThat(done("submit", "--after", "1h")).startsWith("ACCEPTED orders/report");

    assertThat(failed("pause")).contains("REFUSED orders/report: ", "one-shot");
    assertThat(failed("run")).contains("REFUSED orders/report: ", "one-shot");
    assertThat(done("cancel")).contains("waiting triggers removed: 1,");
  }

  @Test
  void jobThatNobodyKnowsIsAFailureThatNamesOnesLikeIt() {
    done("submit", "--cron", YEARLY);

    for (String command : new String[] {"pause", "resume", "run"}) {
      assertThat(run(command, "reprot"))
          .extracting(CommandRun::error)
          .asString()
          .contains("NOT_FOUND orders/reprot: ");
    }
    CommandRun explained = run("explain", "reprot");
    assertThat(explained.error())
        .contains("'reprot' of node group orders", "Similar task ids: report");
    assertThat(explained.exitCode()).isEqualTo(ExitCode.FAILED);
  }

  @Test
  void whatTheTrackerFindsWrongIsBadInputThatNamesTheValue() {
    assertBadInput("BAD_OVERLAP_POLICY", "2000", "--overlap", "queue:2000");
    assertBadInput("BAD_TRACE_CONTEXT", "W3C", "--trace-parent", "00-1");
    assertBadInput("BAD_MISFIRE_POLICY", "0", "--misfire", "all,cap=0");
    assertBadInput("NEVER_FIRES", "2020-01-01T00:00:00Z", "--until", "2020-01-01T00:00Z");
  }

  private void assertBadInput(String reason, String value, String option, String text) {
    CommandRun run = run("submit", "report", "--cron", YEARLY, option, text);

    assertThat(run.error()).contains("REJECTED orders/report (" + reason + "): ", value);
    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
  }

  private String done(String command, String... options) {
    CommandRun run = run(command, "report", options);
    assertThat(run.error()).isEmpty();
    assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
    return run.out();
  }

  private String failed(String command) {
    CommandRun run = run(command, "report");
    assertThat(run.out()).isEmpty();
    assertThat(run.exitCode()).isEqualTo(ExitCode.FAILED);
    return run.error();
  }

  private CommandRun run(String command, String taskId, String... options) {
    return CommandRun.of(
        Stream.of(
                Stream.of(command, "orders", taskId),
                Stream.of(options),
                Stream.of("--trackers", tracker.address()))
            .flatMap(arguments -> arguments)
            .toArray(String[]::new));
  }
}
