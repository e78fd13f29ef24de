package io.millrace.scripts;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.tasktracker.TaskTracker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class BadInputTest {
  @TempDir private Path directory;

  @ParameterizedTest
  @MethodSource
  void badArgumentsAreNamedInOneLineWithExitCodeTwo(List<String> arguments, List<String> said) {
    CommandRun run = CommandRun.of(arguments.toArray(String[]::new));

    assertRefused(run, said);
  }

  static Stream<Arguments> badArgumentsAreNamedInOneLineWithExitCodeTwo() {
    return Stream.of(
        refused("", "millrace:", "Missing command", "millrace --help"),
        refused("frob", "'frob' is not a command"),
        refused("--frob", "'--frob'"),
        refused("submit", "GROUP", "TASKID", "millrace submit --help"),
        refused("submit g", "TASKID"),
        refused("submit g t x", "'x'"),
        refused("submit g t --at", "--at"),
        refused("submit g t --at 2030-01-01T00:00", "--at", "2030-01-01T00:00", "offset"),
        refused("submit g t --after soon", "--after", "'soon'", "500ms"),
        refused("submit g t --every -5s", "--every", "-5s"),
        refused("submit g t --every PT-5S", "--every", "'PT-5S' is negative"),
        refused("submit g t --times many", "--times", "'many'"),
        refused("submit g t --cron @daily --zone Mars", "--zone", "'Mars'", "Asia/Shanghai"),
        refused("submit g t --zone UTC", "--zone needs --cron"),
        refused("submit g t --cron @daily --every 5s", "--cron, --every and --fixed-delay"),
        refused("submit g t --at 2030-01-01T00:00:00Z --after 5s", "--at and --after"),
        refused("submit g t --after 5s --every 5s", "--after is allowed only for a one-shot"),
        refused("submit g t --cron @daily --until 2031", "--until", "'2031'", "offset"),
        refused("submit g t --until 2031-01-01T00:00:00Z", "--until needs --cron, --every or"),
        refused("submit g t --cron @daily --overlap never", "--overlap", "'never'", "queue:N"),
        refused("submit g t --cron @daily --overlap queue", "--overlap", "'queue'", "queue:N"),
        refused("submit g t --cron @daily --overlap queue:-1", "--overlap", "'queue:-1'"),
        refused("submit g t --overlap skip", "--overlap is allowed only with --cron, --every or"),
        refused("submit g t --cron @daily --misfire some", "--misfire", "'some'", "latest or all"),
        refused("submit g t --cron @daily --misfire all,", "--misfire", "'all,'", "window=DUR"),
        refused("submit g t --cron @daily --misfire all,cap=x", "--misfire", "'cap=x'", "number"),
        refused("submit g t --cron @daily --misfire all,window=x", "--misfire", "'x'", "500ms"),
        refused(
            "submit g t --cron @daily --misfire latest,cap=3",
            "--misfire",
            "allowed only with all"),
        refused("submit g t --cron @daily --misfire none,cap=3", "--misfire", "'none,cap=3'"),
        refused(
            "submit g t --after 5s --misfire all",
            "--misfire is allowed only with --cron, --every or"),
        refused("submit g t --times 3", "--times needs --every or --fixed-delay"),
        refused("submit g t --rely-on-prev-cycle", "--rely-on-prev-cycle needs"),
        refused("submit g t --feedback", "--feedback needs --client-group"),
        refused("submit g t --param novalue", "--param", "'novalue'", "name=value"),
        refused("submit g t --priority high", "--priority", "'high'"),
        refused("submit g t --shards 0", "--shards: 0 is not between 1 and 1000"),
        refused("submit g t --shards 1001", "--shards: 1001 is not between 1 and 1000"),
        refused("submit g t --broadcast --on-worker-lost wait", "--on-worker-lost", "'wait'"),
        refused("submit g t --shards some", "--shards", "'some'"),
        refused("submit g t --trackers nowhere", "--trackers", "'nowhere'", "host:port"),
        refused("submit g t --trackers a:1,b:70000", "--trackers", "'b:70000'", "65535"),
        refused("submit g t --log-level loud", "--log-level", "'loud'"),
        refused("submit g t --token-file /no/such/file", "--token-file", "/no/such/file"),
        refused("submit g t --token secret", "--token"),
        refused("cancel g", "TASKID"),
        refused("pause g", "TASKID", "millrace pause --help"),
        refused("pause g t --reason", "--reason"),
        refused("pause g t --why x", "'--why'"),
        refused("resume g", "TASKID", "millrace resume --help"),
        refused("resume g t --reason x", "'--reason'"),
        refused("run g", "TASKID", "millrace run --help"),
        refused("run g t --param novalue", "--param", "'novalue'", "name=value"),
        refused("explain g", "TASKID", "millrace explain --help"),
        refused("explain g t x", "'x'"),
        refused("next", "--cron"),
        refused("quickstart --store-url jdbc:postgresql://h/d", "--store-url", "jdbc:mysql:"),
        refused("quickstart --store-url jdbc:mysql://h/d --data x", "--store-url and --data"),
        refused("quickstart --store-username root", "--store-username needs --store-url"),
        refused("quickstart --store-password x", "--store-password needs --store-url"),
        refused("next --cron @never", "--cron", "position 0", "unknown nickname"),
        refused("next --cron @daily --zone Mars", "--zone", "'Mars'", "Asia/Shanghai"),
        refused("next --cron @daily --from tomorrow", "--from", "'tomorrow'", "offset"),
        refused("next --cron @daily --count 0", "--count 0", "1 and 1000"),
        refused("next --cron @daily --count 1001", "--count 1001", "1 and 1000"),
        refused("next --cron @daily --count many", "--count", "'many'"),
        refused("next --cron @daily --language fr", "--language", "'fr'", "en or zh"),
        refused("worker", "--node-group"),
        refused("worker --node-group g --slots few", "--slots", "'few'"),
        refused(
            "worker --node-group g --runner-threads green", "--runner-threads", "'green'", "auto,"),
        refused("tracker", "--config"),
        refused("tracker --config /no/such/file", "--config /no/such/file", "does not exist"),
        refused("start --config /no/such/file", "--config /no/such/file", "does not exist"),
        refused("stop --config x --wait forever", "--wait", "'forever'"),
        refused(
            "tokens --url localhost:8081", "--url", "'localhost:8081'", "http://127.0.0.1:8081"),
        refused("pause g t --json", "--json needs --url"),
        refused("pause g t --url h", "--url", "'h'", "http://127.0.0.1:8081"),
        refused("pause g t --url http://h --trackers h:1", "--url and --trackers exclude"),
        refused("health --url https://h --tls", "--url and --tls exclude one another"),
        refused("submit g t --url http://h --outbox x", "--url and --outbox exclude one another"),
        refused("submit g t --url http://h --feedback", "--url and --feedback exclude"),
        refused("submit g t --url http://h --client-group x", "--url and --client-group exclude"),
        refused("next g", "GROUP and TASKID", "--cron"),
        refused("next g t --cron @daily", "GROUP and TASKID", "--cron"),
        refused("next g t --zone UTC", "GROUP and --zone exclude one another"),
        refused("next --cron @daily --json", "--cron and --json exclude one another"),
        refused("next --cron @daily --url http://h", "--cron and --url exclude one another"),
        refused("jobs --state lost", "--state", "'lost'", "PAUSED"),
        refused("log", "EXECUTION", "millrace log --help"),
        refused("log 7 --after x", "--after", "'x'"),
        refused("result", "EXECUTION", "millrace result --help"),
        refused("replay", "give either ids", "--node-group"),
        refused("discard", "ID", "millrace discard --help"),
        refused("drain", "ID", "millrace drain --help"),
        refused("tokens --url http://h?x=1", "--url", "'http://h?x=1'"),
        refused("tokens --token secret", "--token"),
        refused("tokens --token-file /no/such/file", "--token-file", "/no/such/file"),
        refused("tokens --tls-ca /no/such/file", "--tls-ca /no/such/file"),
        refused("tokens --wait soon", "--wait", "'soon'"),
        refused("audit --limit many", "--limit", "'many'"),
        refused("token frob", "'frob' is not a command"),
        refused("quickstart --port 70000", "--port 70000"));
  }

  @Test
  void emptyTokenFileIsRefused() throws IOException {
    Path file = Files.writeString(directory.resolve("token"), " \n");

    CommandRun run = CommandRun.of("submit", "g", "t", "--token-file", file.toString());

    assertRefused(run, List.of("--token-file", file.toString(), "is empty"));
  }

  @Test
  void outboxOfAnotherWorkerIsRefused() {
    Path outbox = directory.resolve("outbox");
    TaskTracker.builder()
        .trackers("127.0.0.1:1")
        .nodeGroup("orders")
        .runner(context -> null)
        .outbox(outbox)
        .build()
        .close();

    CommandRun run =
        CommandRun.of("worker", "--node-group", "mails", "--outbox", outbox.toString());

    assertRefused(run, List.of(outbox.toString(), "node group orders", "node group mails"));
  }

  @Test
  void reasonThatSaysNothingOrTooMuchIsRefused() {
    assertRefused(
        CommandRun.of("pause", "g", "t", "--reason", "  "), List.of("--reason '  ' is blank"));
    assertRefused(
        CommandRun.of("pause", "g", "t", "--reason", "x".repeat(1_001)),
        List.of("--reason has 1001 characters; at most 1000 are allowed"));
  }

  private static Arguments refused(String line, String... said) {
    List<String> arguments = line.isEmpty() ? List.of() : Arrays.asList(line.split(" "));
    return Arguments.of(arguments, List.of(said));
  }

  static void assertRefused(CommandRun run, List<String> said) {
    assertThat(run.error()).contains(said).doesNotContain("\tat ");
    assertThat(run.error().lines()).hasSize(1);
    assertThat(run.out()).isEmpty();
    assertThat(run.exitCode()).isEqualTo(ExitCode.BAD_INPUT);
  }
}
