package io.millrace.scripts.operate.token;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.console.api.operator.AuditRoutes.AuditEntry;
import io.millrace.console.api.operator.AuditRoutes.AuditPage;
import io.millrace.console.api.operator.TokenRoutes.IssuedToken;
import io.millrace.console.api.operator.TokenRoutes.TokenPage;
import io.millrace.internal.codec.JsonCodec;
import io.millrace.scripts.CommandRun;
import io.millrace.scripts.ExitCode;
import io.millrace.scripts.operate.OperatedTracker;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tokens of operators, and what they did, with a real tracker. */
@Timeout(120)
public class TokenCommandsTest {
  @TempDir private Path directory;

  private final JsonCodec codec = new JsonCodec();
  private OperatedTracker operated;

  @BeforeEach
  void start() throws IOException {
    operated = OperatedTracker.in(directory);
  }

  @AfterEach
  void stop() {
    operated.close();
  }

  @Test
  void tokenThatWasIssuedIsGoodForItsRoleUntilItIsRevoked() throws IOException {
    Path viewer = operated.token("VIEW");

    assertThat(operated.runWith(viewer, "audit").exitCode()).isEqualTo(ExitCode.OK);
    CommandRun tooLow = operated.runWith(viewer, "tokens");
    assertRefused(tooLow, ExitCode.NOT_ALLOWED, "ADMIN", "view-1", "VIEW");

    assertThat(operated.done("token", "revoke", "view-1")).isEqualTo("REVOKED view-1\n");
    assertRefused(operated.runWith(viewer, "audit"), ExitCode.NOT_ALLOWED, "revoked");
    assertRefused(operated.run("token", "revoke", "view-1"), ExitCode.FAILED, "view-1");
    assertRefused(operated.run("token", "restore", "view-1"), ExitCode.FAILED, "no person view-1");
  }

  @Test
  void tokensAreListedInColumns() {
    operated.done("token", "issue", "bob", "--role", "operate");

    String[] lines = operated.done("tokens").split("\n");

    assertThat(lines[0])
        .matches(
            "NAME +ROLE +NODE GROUPS +OPERATES +STATE +EXPIRES +LAST USED +FROM +ISSUED +BY +RENEWED +REVOKED");
    assertThat(lines[1])
        .matches("admin +ADMIN +all +all +VALID +- +\\S+Z +127.0.0.1 +\\S+Z +millrace +- +-");
    assertThat(lines[2]).matches("bob +OPERATE +all +all +VALID +- +- +- +\\S+Z +admin +- +-");
    assertThat(lines).hasSize(3);
  }

  @Test
  void tokenWithAnEndIsMarkedAndRenewed() throws IOException {
    String[] issued =
        operated.done("token", "issue", "bob", "--role", "VIEW", "--expires", "13d").split("\n");
    assertThat(issued[0]).matches("token: mrt_\\S+   \\(shown only once\\)");
    assertThat(issued[1]).matches("expires: \\S+Z");
    Path former = operated.keep("former", issued[0].split(" ")[1]);
    assertThat(operated.done("tokens")).containsPattern("bob +VIEW +all +- +EXPIRES_SOON +\\S+Z ");

    String renewed = operated.done("token", "renew", "bob");
    assertThat(renewed).containsPattern("expires: \\S+Z");
    assertThat(operated.done("tokens"))
        .containsPattern("bob +VIEW +all +- +EXPIRES_SOON +\\S+Z +- +- +\\S+Z +admin +\\S+Z +-");
    assertRefused(operated.runWith(former, "audit"), ExitCode.NOT_ALLOWED, "unknown");
    Path present = operated.keep("present", renewed.split(" ")[1]);
    assertThat(operated.runWith(present, "audit").exitCode()).isEqualTo(ExitCode.OK);

    String longer = operated.done("token", "renew", "bob", "--expires", "90d", "--json");
    assertThat(codec.decodeText(longer, IssuedToken.class).expiresAt())
        .isAfter(Instant.now().plus(Duration.ofDays(89)));
    assertRefused(operated.run("token", "renew", "nobody"), ExitCode.FAILED, "nobody");
    assertRefused(
        operated.run("token", "issue", "eve", "--role", "VIEW", "--expires", "1s"),
        ExitCode.BAD_INPUT,
        "1m to 36500d");
  }

  @Test
  void tokenIsLimitedToNodeGroups() throws IOException {
    String issued =
        operated.done(
            "token",
            "issue",
            "bob",
            "--role",
            "VIEW",
            "--node-group",
            "orders",
            "--node-group",
            "billing-*");
    Path bob = operated.keep("bob", issued.split(" ")[1]);

    assertThat(operated.done("tokens")).containsPattern("bob +VIEW +orders,billing-\\* +- +VALID");
    assertRefused(
        operated.runWith(bob, "jobs"), ExitCode.NOT_ALLOWED, "limited to the node groups");
    assertRefused(operated.runWith(bob, "overview"), ExitCode.NOT_ALLOWED, "limited");
    assertRefused(
        operated.runWith(bob, "jobs", "--node-group", "reports"),
        ExitCode.FAILED,
        "there is no node group reports");
    assertRefused(
        operated.run("token", "issue", "eve", "--role", "ADMIN", "--node-group", "orders"),
        ExitCode.BAD_INPUT,
        "ADMIN");
  }

  @Test
  void viewerOperatesSomeNodeGroups() throws IOException {
    operated.done("submit", "orders", "nightly", "--cron", "0 0 3 * * ?");
    String issued =
        operated.done(
            "token",
            "issue",
            "team",
            "--role",
            "VIEW",
            "--operates",
            "billing",
            "--operates",
            "billing-*");
    Path team = operated.keep("team", issued.split(" ")[1]);

    assertThat(operated.done("tokens"))
        .containsPattern("team +VIEW +all +billing,billing-\\* +VALID");
    assertThat(operated.runWith(team, "jobs").out()).contains("nightly");
    assertRefused(
        operated.runWith(team, "pause", "orders", "nightly"),
        ExitCode.NOT_ALLOWED,
        "operates the node groups billing billing-*",
        "only look at the node group orders");
    assertRefused(
        operated.run("token", "issue", "eve", "--role", "OPERATE", "--operates", "orders"),
        ExitCode.BAD_INPUT,
        "operates: only a token with the role VIEW");
  }

  @Test
  void longestLifeHoldsAtTheDatabaseToo() throws IOException {
    operated.close();
    Path bounded = directory.resolve("bounded.properties");
    Files.writeString(
        bounded, Files.readString(operated.config()) + "console.max-token-life = 30d\n");

    assertThat(atDatabase(bounded, "carol").out()).containsPattern("expires: \\S+Z");
    assertRefused(
        atDatabase(bounded, "dave", "--expires", "31d"), ExitCode.BAD_INPUT, "at most 30d");
  }

  @Test
  void jsonIsWhatTheApiAnswered() {
    IssuedToken issued =
        codec.decodeText(
            operated.done("token", "issue", "bob", "--role", "VIEW", "--json"), IssuedToken.class);
    assertThat(issued.name() + issued.role()).isEqualTo("bobVIEW");
    assertThat(issued.token()).startsWith("mrt_");

    TokenPage page = codec.decodeText(operated.done("tokens", "--json"), TokenPage.class);
    assertThat(page.items()).extracting(row -> row.name()).containsExactly("admin", "bob");
    assertThat(operated.done("token", "revoke", "bob", "--json")).isEmpty();
  }

  @Test
  void pagesFollowOneAnother() {
    operated.done("token", "issue", "bob", "--role", "VIEW");
    operated.done("token", "issue", "eve", "--role", "VIEW");

    CommandRun first = operated.run("tokens", "--limit", "2");
    assertThat(first.out().lines()).hasSize(3);
    assertThat(first.error()).matches("there may be more: --after \\d+ shows .*\\R");

    String after = first.error().replaceFirst("(?s).*--after (\\d+) .*", "$1");
    assertThat(operated.done("tokens", "--limit", "2", "--after", after).lines())
        .satisfiesExactly(
            heading -> assertThat(heading).startsWith("NAME"),
            row -> assertThat(row).startsWith("eve"));

    assertThat(operated.done("tokens", "--limit", "2", "--all").lines())
        .extracting(line -> line.substring(0, 3))
        .containsExactly("NAM", "adm", "bob", "eve");
    List<String> pages =
        operated.done("tokens", "--limit", "2", "--all", "--json").lines().toList();
    assertThat(pages)
        .extracting(line -> codec.decodeText(line, TokenPage.class).items().size())
        .containsExactly(2, 1);
  }

  @Test
  void wrongInputIsSaidInOneLine() {
    assertRefused(
        operated.run("tokens", "--limit", "501"), ExitCode.BAD_INPUT, "1 to 500", "'501'");
    assertRefused(operated.run("tokens", "--after", "x"), ExitCode.BAD_INPUT, "after", "'x'");
    assertRefused(
        operated.run("token", "issue", "b b", "--role", "VIEW"), ExitCode.BAD_INPUT, "begin with");
    assertRefused(
        operated.run("token", "issue", "bob", "--role", "king"),
        ExitCode.BAD_INPUT,
        "--role",
        "VIEW, OPERATE, ADMIN",
        "'king'");
    assertRefused(operated.run("token", "issue", "bob"), ExitCode.BAD_INPUT, "--role");
    assertRefused(CommandRun.of("token"), ExitCode.BAD_INPUT, "issue, renew, revoke or restore");
    assertRefused(
        operated.run("token", "issue", "admin", "--role", "VIEW"),
        ExitCode.FAILED,
        "admin",
        "reused");
  }

  @Test
  void noTokenAndAWrongOneAreNotAllowed() throws IOException {
    assertRefused(
        operated.runWithout("tokens"),
        ExitCode.NOT_ALLOWED,
        "no token was given",
        "MILLRACE_OPERATOR_TOKEN",
        "--token-file");
    assertRefused(
        operated.runWith(operated.keep("wrong", "mrt_wrong"), "audit"),
        ExitCode.NOT_ALLOWED,
        "unknown");
  }

  @Test
  void auditSaysWhoDidWhatAndHowItEnded() throws IOException {
    operated.done("token", "issue", "bob", "--role", "VIEW");
    CommandRun unused = operated.run("token", "issue", "bob", "--role", "VIEW");

    String[] lines = operated.done("audit", "--action", "issueToken").split("\n");

    assertThat(lines).hasSize(3);
    assertThat(lines[0])
        .matches("AT +OPERATOR +ROLE +ADDRESS +ACTION +TARGET +STATUS +REFUSED BECAUSE");
    assertThat(lines[1])
        .matches("\\S+Z +admin +ADMIN .* /api/v1/tokens +409 +a token named bob .*");
    assertThat(lines[2]).matches("\\S+Z +admin +ADMIN .* issueToken +/api/v1/tokens +201 +-");

    CommandRun nobody = operated.run("audit", "--operator", "nobody");
    assertThat(nobody.out()).isEmpty();
    assertThat(nobody.error()).isEqualTo("no entries\n");
    assertThat(nobody.exitCode()).isEqualTo(ExitCode.OK);
  }

  @Test
  void tokenIsIssuedAtTheDatabaseWhenEveryOtherIsLost() throws IOException {
    operated.close();

    IssuedToken issued = codec.decodeText(atDatabase("carol", "--json").out(), IssuedToken.class);
    assertThat(atDatabase("dave").out()).matches("token: mrt_\\S+   \\(shown only once\\)\\R");
    assertRefused(atDatabase("carol"), ExitCode.FAILED, "carol", "issued before");
    assertRefused(atDatabase("c c"), ExitCode.BAD_INPUT, "begin with");

    operated = OperatedTracker.in(directory);
    Path carol = operated.keep("carol", issued.token());
    CommandRun audit = operated.runWith(carol, "audit", "--operator", "millrace", "--json");
    List<AuditEntry> rows = codec.decodeText(audit.out(), AuditPage.class).items();
    assertThat(rows).extracting(AuditEntry::status).containsExactly(409, 201, 201);
    assertThat(rows.get(2).address()).startsWith(System.getProperty("user.name") + "@");
    assertThat(rows.get(2).action()).isEqualTo("issueToken");
    assertThat(rows.get(2).detail()).contains("carol", "ADMIN").doesNotContain(issued.token());
    assertThat(operated.runWith(carol, "tokens").out())
        .containsPattern(
            "carol +ADMIN +all +all +VALID +- +\\S+Z +127.0.0.1 +\\S+Z +millrace +- +-");
  }

  @Test
  void databaseThatAnotherProcessUsesIsAFailure() throws IOException {
    operated.close();
    try (FileChannel file = FileChannel.open(operated.databaseFile(), StandardOpenOption.WRITE);
        FileLock lock = file.lock()) {
      assertThat(lock.isValid()).isTrue();
      assertRefused(atDatabase("carol"), ExitCode.FAILED, "in use");
    }
  }

  private CommandRun atDatabase(String name, String... options) throws IOException {
    return atDatabase(operated.config(), name, options);
  }

  private static CommandRun atDatabase(Path config, String name, String... options) {
    return CommandRun.of(
        Stream.concat(
                Stream.of("token", "issue", name, "--role", "ADMIN", "--config", config.toString()),
                Stream.of(options))
            .toArray(String[]::new));
  }

  @Test
  void tokenIsIssuedAtOneOfBothPlaces() throws IOException {
    assertRefused(
        operated.run("token", "issue", "x", "--role", "VIEW", "--config", "conf"),
        ExitCode.BAD_INPUT,
        "--config and --url exclude one another");
    assertRefused(
        CommandRun.of("token", "issue", "x", "--role", "VIEW", "--config", "/no/such/file"),
        ExitCode.BAD_INPUT,
        "/no/such/file");
  }

  @Test
  void trackerThatIsNotThereIsAFailure() {
    for (String command : new String[] {"tokens", "audit"}) {
      CommandRun run = CommandRun.of(command, "--url", "http://127.0.0.1:1");
      assertRefused(run, ExitCode.FAILED, "no tracker answers at http://127.0.0.1:1");
    }
  }

  public static void assertRefused(CommandRun run, int exitCode, String... said) {
    assertThat(run.error()).contains(said).doesNotContain("\tat ");
    assertThat(run.error().lines()).hasSize(1);
    assertThat(run.out()).isEmpty();
    assertThat(run.exitCode()).isEqualTo(exitCode);
  }
}
