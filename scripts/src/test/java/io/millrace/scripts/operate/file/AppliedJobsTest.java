package io.millrace.scripts.operate.file;

import static io.millrace.scripts.operate.token.TokenCommandsTest.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.Declaration;
import io.millrace.api.Job;
import io.millrace.jobclient.JobClient;
import io.millrace.scripts.CommandFailedException;
import io.millrace.scripts.CommandRun;
import io.millrace.scripts.ExitCode;
import io.millrace.scripts.api.ApiClient;
import io.millrace.scripts.api.ApiUrl;
import io.millrace.scripts.operate.OperatedTracker;
import io.millrace.scripts.option.Operator;
import io.millrace.scripts.output.Output;
import io.millrace.scripts.output.Terminal;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Jobs of files, applied to a real tracker and written by it. */
@Timeout(120)
class AppliedJobsTest {
  private static final String HOURLY = "\"schedule\":{\"every\":\"PT1H\"}";
  private static final String LATER = "\"schedule\":{\"at\":\"2998-01-01T00:00:00Z\"}";

  @TempDir private Path directory;
  @TempDir private Path files;

  private OperatedTracker operated;

  @BeforeEach
  void start() throws IOException {
    operated = OperatedTracker.in(directory);
  }

  @AfterEach
  void stop() {
    operated.close();
  }

  private static String job(String taskId, String fields) {
    return "{\"nodeGroup\":\"orders\",\"taskId\":\"" + taskId + "\"," + fields + "}";
  }

  private Path file(String... jobs) throws IOException {
    return Files.writeString(
        files.resolve("jobs.json"), "{\"format\":1,\"jobs\":[" + String.join(",", jobs) + "]}");
  }

  private CommandRun apply(Path file, String... options) {
    return operated.run(
        Stream.concat(Stream.of("apply", "-f", file.toString()), Stream.of(options))
            .toArray(String[]::new));
  }

  private String applied(Path file, String... options) {
    CommandRun run =
        apply(file, Stream.concat(Stream.of(options), Stream.of("--yes")).toArray(String[]::new));
    assertThat(run.error()).isEmpty();
    assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
    return run.out();
  }

  private String exported(String... options) {
    CommandRun run =
        operated.run(Stream.concat(Stream.of("export"), Stream.of(options)).toArray(String[]::new));
    assertThat(run.exitCode()).as(run.error()).isEqualTo(ExitCode.OK);
    return run.out();
  }

  @Test
  void jobsAreSubmittedEditedAndLeftAsTheyAre() throws IOException {
    Path file = file(job("poll", HOURLY), job("report", HOURLY), job("later", LATER));
    assertThat(applied(file))
        .isEqualTo(
            """
            + orders/later
            + orders/poll
            + orders/report
            3 new, 0 changed, 0 removed, 0 as they are
            applied: 3 new, 0 changed, 0 removed
            """);
    assertThat(applied(file)).isEqualTo("0 new, 0 changed, 0 removed, 3 as they are\n");
    operated.done("pause", "orders", "report");

    Path other =
        file(
            job("poll", HOURLY),
            job("report", HOURLY + ",\"handler\":\"pdf\",\"retry\":{\"maxRetries\":9}"),
            job("later", LATER + ",\"priority\":7"),
            job("sync", HOURLY));
    assertThat(applied(other))
        .isEqualTo(
            """
            ~ orders/later
                priority: 100 -> 7
            ~ orders/report
                handler: none -> "pdf"
                retry.maxRetries: 3 -> 9
            + orders/sync
            1 new, 2 changed, 0 removed, 1 as they are
            applied: 1 new, 2 changed, 0 removed
            """);
    assertThat(applied(other)).isEqualTo("0 new, 0 changed, 0 removed, 4 as they are\n");
    assertThat(operated.done("job", "orders", "report"))
        .containsPattern("(?m)^state +PAUSED$")
        .containsPattern("(?m)^handler +pdf$");
  }

  @Test
  void dryRunChangesNothingAndItsExitCodeSaysWhetherSomethingDiffers() throws IOException {
    Path file = file(job("poll", HOURLY));

    CommandRun dry = apply(file, "--dry-run");
    assertThat(dry.out()).isEqualTo("+ orders/poll\n1 new, 0 changed, 0 removed, 0 as they are\n");
    assertThat(dry.exitCode()).isEqualTo(ExitCode.DIFFERS);
    assertThat(exported()).contains("\"jobs\": []");
    applied(file);
    assertThat(apply(file, "--dry-run").exitCode()).isEqualTo(ExitCode.OK);
  }

  @Test
  void nothingIsChangedWhereNobodyCanBeAsked() throws IOException {
    Path file = file(job("poll", HOURLY));

    CommandRun run = apply(file);

    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.out()).startsWith("+ orders/poll\n");
    assertThat(run.error())
        .contains("there is no terminal to ask on; nothing was changed", "--yes");
    assertThat(exported()).contains("\"jobs\": []");
  }

  @Test
  void fileThatIsWrongChangesNothing() throws IOException {
    for (String wrong :
        List.of(
            job("poll", HOURLY),
            job("other", HOURLY + ",\"priorty\":3"),
            job("other", HOURLY + ",\"priority\":300"))) {
      Path file = file(job("poll", HOURLY), wrong);
      assertRefused(apply(file, "--yes"), ExitCode.BAD_INPUT, "jobs.json: orders/");
    }
    assertThat(exported()).contains("\"jobs\": []");
    assertRefused(operated.run("apply"), ExitCode.BAD_INPUT, "--file");
    assertRefused(apply(file(), "--yes", "--dry-run"), ExitCode.BAD_INPUT, "exclude one another");
  }

  @Test
  void jobThatTheTrackerRefusesIsNamedAndTheOthersAreDone() throws IOException {
    Path wrong =
        file(
            job("a", "\"schedule\":{\"cron\":\"0 0 25 * * ?\"}"),
            job("b", "\"schedule\":{\"cron\":\"0 0 0 30 2 ?\"}"),
            job("poll", HOURLY));

    CommandRun run = apply(wrong, "--yes");

    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
    assertThat(run.error())
        .containsPattern("(?m)^orders/a: schedule\\.cron: BAD_CRON: ")
        .containsPattern("(?m)^orders/b: schedule: NEVER_FIRES: ")
        .contains("millrace apply: 2 of 3 were refused; the others are done\n");
    assertThat(run.out()).endsWith("applied: 1 new, 0 changed, 0 removed, 2 refused\n");
    Path mended =
        file(
            job("a", "\"schedule\":{\"cron\":\"0 0 23 * * ?\"}"),
            job("b", "\"schedule\":{\"cron\":\"0 0 0 28 2 ?\"}"),
            job("poll", HOURLY));
    assertThat(applied(mended)).startsWith("+ orders/a\n+ orders/b\n2 new, ").contains("1 as they");
    assertThat(applied(mended)).startsWith("0 new, 0 changed, 0 removed, 3 as they are");
  }

  @Test
  void whatChangesAfterItWasComparedIsRefusedAndTheOthersAreDone()
      throws IOException, InterruptedException {
    applied(file(job("a", HOURLY), job("b", HOURLY), job("c", HOURLY), job("d", HOURLY)));
    Path wanted =
        file(
            job("a", HOURLY + ",\"priority\":7"),
            job("b", HOURLY + ",\"priority\":7"),
            job("d", HOURLY + ",\"priority\":7"),
            job("e", HOURLY + ",\"priority\":7"));
    StringWriter error = new StringWriter();
    Operator operator = operator(error);
    List<Change> changes = compared(wanted, new Key("orders", "c"), operator);
    operated.done("submit", "orders", "a", "--every", "2h", "--replace");
    operated.done("submit", "orders", "c", "--every", "3h", "--replace");
    operated.done("cancel", "orders", "d");
    operated.done("submit", "orders", "e", "--every", "4h");

    assertThatThrownBy(() -> new Applying(operator).make(changes))
        .isExactlyInstanceOf(CommandFailedException.class)
        .hasMessage("4 of 5 were refused; the others are done");

    assertThat(error.toString())
        .containsPattern("(?m)^orders/a: changed since it was compared: .* changed since: schedule")
        .containsPattern("(?m)^orders/c: changed since it was compared: .* changed since: schedule")
        .containsPattern("(?m)^orders/d: ended since it was compared: ")
        .containsPattern("(?m)^orders/e: another job has this key since: ");
    assertThat(exported())
        .containsPattern("\"a\",\\s+\"schedule\": \\{\\s+\"every\": \"PT2H\"\\s+}\\s+}")
        .containsPattern("\"b\",\\s+\"schedule\": \\{[^}]+},\\s+\"priority\": 7")
        .containsPattern("\"c\",\\s+\"schedule\": \\{\\s+\"every\": \"PT3H\"")
        .doesNotContain("\"d\"")
        .containsPattern("\"e\",\\s+\"schedule\": \\{\\s+\"every\": \"PT4H\"\\s+}\\s+}");
  }

  private Operator operator(StringWriter error) throws IOException {
    String token = Files.readString(directory.resolve("admin.token")).strip();
    return new Operator(
        ApiClient.of(ApiUrl.parse(operated.url()), token, null, Duration.ofSeconds(30)),
        new Output(
            new PrintWriter(new StringWriter()),
            new PrintWriter(error),
            false,
            new Terminal(false, false, false)));
  }

  private List<Change> compared(Path wanted, Key removed, Operator operator)
      throws InterruptedException {
    JobFiles read = new JobFiles(new ByteArrayInputStream(new byte[0]));
    read.read(wanted);
    LiveJobs live = new LiveJobs(operator);
    List<Change> changes = new ArrayList<>();
    for (FileJob job : read.jobs()) {
      Optional<LiveJob> found = live.read(List.of(job.key())).get(0);
      changes.add(Difference.of(job, found.orElse(null), Instant.EPOCH));
    }
    changes.add(Difference.removal(live.read(List.of(removed)).get(0).orElseThrow()));
    return changes;
  }

  @Test
  void pruneTakesAwayWhatTheFileDoesNotHaveInTheNamedGroupsOnly() throws IOException {
    applied(file(job("a", HOURLY), job("b", HOURLY), job("later", LATER)));
    operated.done("submit", "stock", "c", "--every", "1h");
    try (JobClient client = JobClient.builder().trackers(operated.tracker().address()).build()) {
      Job poll = Job.builder("orders", "poll").every(Duration.ofHours(1)).build();
      client.declare(Declaration.builder().owner("billing").jobs(List.of(poll)).build());
    }
    Path file = file(job("a", HOURLY));

    assertRefused(apply(file, "--prune", "--yes"), ExitCode.BAD_INPUT, "--prune-group");
    assertRefused(apply(file, "--prune-group", "orders", "--yes"), ExitCode.BAD_INPUT, "--prune");
    assertRefused(apply(file, "--prune", "--prune-group", "nobody"), ExitCode.BAD_INPUT, "nobody");
    assertThat(applied(file)).isEqualTo("0 new, 0 changed, 0 removed, 1 as they are\n");

    assertThat(applied(file, "--prune", "--prune-group", "orders"))
        .isEqualTo(
            """
            - orders/b
              orders/poll: left alone: declared by billing
            0 new, 0 changed, 1 removed, 1 as they are, 1 left alone
            applied: 0 new, 0 changed, 1 removed
            """);
    assertThat(applied(file, "--prune", "--prune-group", "orders", "--prune-one-shots"))
        .startsWith("- orders/later\n  orders/poll: left alone")
        .endsWith("applied: 0 new, 0 changed, 1 removed\n");
    assertThat(exported("--declared"))
        .contains("\"a\"", "\"c\"", "\"poll\"")
        .doesNotContain("\"b\"", "\"later\"");
  }

  @Test
  void oneShotWhoseInstantHasPassedIsNotRunAgain() throws IOException {
    Path file = file(job("close", "\"schedule\":{\"at\":\"2020-01-01T00:00:00Z\"}"));

    assertThat(applied(file))
        .isEqualTo(
            """
              orders/close: left alone: its instant has passed: it has run, or would run late
            0 new, 0 changed, 0 removed, 0 as they are, 1 left alone
            """);
  }

  @Test
  void exportIsAppliedToAnotherTrackerAndExportedAlike(@TempDir Path elsewhere) throws IOException {
    submit("cron", "--cron", "0 30 2 * * ?", "--zone", "America/New_York", "--param", "b=2");
    submit("rate", "--every", "1h", "--at", "2998-01-01T00:00:00Z", "--overlap", "queue:7");
    submit("fixed", "--fixed-delay", "90s", "--times", "3", "--until", "2999-01-01T00:00:00Z");
    submit("later", "--at", "2998-01-01T00:00:00.123Z", "--priority", "9");
    submit("split", "--every", "1h", "--shards", "8", "--reduce", "sum", "--within", "2h");
    submit("each", "--every", "1h", "--broadcast", "--on-worker-lost", "dead");
    submit("labelled", "--every", "1h", "--on", "gpu", "--on", "eu", "--stick-to", "customer-7");
    submit("missed", "--cron", "@daily", "--misfire", "all,window=10m,cap=5,after-pause");
    submit("chained", "--cron", "@hourly", "--rely-on-prev-cycle", "--timeout", "5s");
    submit("spoken", "--every", "1h", "--retry", "9", "--handler", "x-y", "--param", "é=\"\\\n");
    operated.done("pause", "orders", "rate");
    Path file = files.resolve("export.json");

    CommandRun run = operated.run("export", "-o", file.toString());

    assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
    assertThat(run.out()).isEmpty();
    assertThat(run.error())
        .isEqualTo("jobs written: 10\njobs paused, which the file does not say: 1 (orders/rate)\n");
    assertThat(files.toFile().list()).containsExactly("export.json");
    assertThat(exported()).isEqualTo(Files.readString(file));
    assertThat(applied(file)).isEqualTo("0 new, 0 changed, 0 removed, 10 as they are\n");
    try (OperatedTracker other = OperatedTracker.in(elsewhere)) {
      CommandRun there = other.run("apply", "-f", file.toString(), "--yes");
      assertThat(there.exitCode()).as(there.error()).isEqualTo(ExitCode.OK);
      assertThat(there.out()).endsWith("applied: 10 new, 0 changed, 0 removed\n");
      assertThat(other.run("export").out()).isEqualTo(Files.readString(file));
    }
  }

  @Test
  void exportIsOfGroupsAndPrefixesAndLeavesOutDeclaredJobs() {
    submit("report-a", "--every", "1h");
    submit("report-b", "--at", "2998-01-01T00:00:00Z");
    submit("poll", "--every", "1h");
    operated.done("submit", "stock", "report-c", "--every", "1h");
    try (JobClient client = JobClient.builder().trackers(operated.tracker().address()).build()) {
      Job declared = Job.builder("orders", "report-d").every(Duration.ofHours(1)).build();
      client.declare(Declaration.builder().owner("billing").jobs(List.of(declared)).build());
    }

    assertThat(tasks("--task", "report")).containsExactly("report-a", "report-b", "report-c");
    assertThat(tasks("--group", "orders")).containsExactly("poll", "report-a", "report-b");
    assertThat(tasks("--group", "orders", "--group", "stock", "--no-one-shots", "--declared"))
        .containsExactly("poll", "report-a", "report-d", "report-c");
    assertThat(operated.run("export").error())
        .contains("left out; --declared writes them: 1 (orders/report-d)");
    assertRefused(operated.run("export", "--group", "nobody"), ExitCode.BAD_INPUT, "nobody");
    assertRefused(
        operated.run("export", "-o", files.resolve("none/x.json").toString()),
        ExitCode.BAD_INPUT,
        "x.json cannot be written");
  }

  @Test
  void thereAreMoreJobsThanAPageHas() throws IOException {
    String[] jobs =
        IntStream.range(0, 510)
            .mapToObj(i -> job("job-%03d".formatted(i), i < 505 ? HOURLY : LATER))
            .toArray(String[]::new);

    assertThat(applied(file(jobs))).endsWith("applied: 510 new, 0 changed, 0 removed\n");

    assertThat(tasks()).hasSize(510).isSortedAccordingTo(Comparator.naturalOrder());
    CommandRun pruned =
        apply(file(), "--prune", "--prune-group=orders", "--prune-one-shots", "--dry-run");
    assertThat(pruned.out()).endsWith("0 new, 0 changed, 510 removed, 0 as they are\n");
  }

  @Test
  void operatorWhoMayOnlyLookSeesTheDifferenceAndChangesNothing() throws IOException {
    Path viewer = operated.token("VIEW");
    String file = file(job("poll", HOURLY)).toString();

    assertThat(operated.runWith(viewer, "apply", "-f", file, "--dry-run").exitCode())
        .isEqualTo(ExitCode.DIFFERS);
    CommandRun run = operated.runWith(viewer, "apply", "-f", file, "--yes");
    assertThat(run.exitCode()).isEqualTo(ExitCode.NOT_ALLOWED);
    assertThat(run.out()).endsWith("applied: 0 new, 0 changed, 0 removed, 1 not done\n");
    assertThat(run.error()).contains("view-1 has VIEW");
  }

  private void submit(String taskId, String... options) {
    operated.done(
        Stream.concat(Stream.of("submit", "orders", taskId), Stream.of(options))
            .toArray(String[]::new));
  }

  private List<String> tasks(String... options) {
    return exported(options)
        .lines()
        .filter(line -> line.contains("\"taskId\""))
        .map(line -> line.split("\"")[3])
        .collect(Collectors.toList());
  }
}
