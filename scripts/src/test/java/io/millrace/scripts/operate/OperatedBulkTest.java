package io.millrace.scripts.operate;

import static io.millrace.scripts.operate.token.TokenCommandsTest.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.console.api.bulk.BulkChangeSummary;
import io.millrace.console.api.bulk.BulkChangeSummary.Condition;
import io.millrace.internal.codec.JsonCodec;
import io.millrace.scripts.CommandRun;
import io.millrace.scripts.ExitCode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Bulk changes from a shell, with a real tracker. */
@Timeout(120)
class OperatedBulkTest {
  @TempDir private Path directory;

  private final JsonCodec codec = new JsonCodec();
  private OperatedTracker operated;

  @BeforeEach
  void start() throws IOException {
    operated = OperatedTracker.in(directory);
    for (int i = 0; i < 3; i++) {
      done("submit orders nightly-" + i + " --cron", "0 0 3 * * ?");
      done("submit orders mail-" + i + " --after 30m");
    }
  }

  @AfterEach
  void stop() {
    operated.close();
  }

  private String done(String line, String... more) {
    return operated.done(words(line, more));
  }

  private CommandRun run(String line) {
    return operated.run(words(line));
  }

  private static String[] words(String line, String... more) {
    return Stream.concat(Stream.of(line.split(" ")), Stream.of(more)).toArray(String[]::new);
  }

  @Test
  void allThatMatchAreChangedAndTheChangeIsListed() {
    String paused =
        done(
            "bulk pause --node-group orders --prefix nightly --until-done --reason",
            "moving house");

    assertThat(paused)
        .contains("PAUSE_JOBS", "node group orders, prefix nightly", "moving house", "DONE");
    assertThat(done("jobs --state PAUSED")).contains("nightly-0", "nightly-2");
    BulkChangeSummary cancelled =
        codec.decodeText(
            done("bulk cancel-one-shots --node-group orders --until-done --json"),
            BulkChangeSummary.class);
    assertThat(cancelled.state()).isEqualTo(Condition.DONE);
    assertThat(cancelled.done()).isEqualTo(3);
    assertThat(run("waiting orders").out()).doesNotContain("mail-");

    assertThat(done("bulks"))
        .containsSubsequence("CANCEL_ONE_SHOTS", "PAUSE_JOBS", "node group orders, prefix nightly");
    assertThat(run("bulks --active").out()).doesNotContain("PAUSE_JOBS");
    assertThat(done("bulks " + cancelled.id())).contains("CANCEL_ONE_SHOTS", "admin");
    assertThat(done("bulk-stop " + cancelled.id())).contains("DONE");
  }

  @Test
  void everythingIsChangedOnlyIfThatIsSaid() {
    assertRefused(run("bulk pause"), ExitCode.BAD_INPUT, "everything: true");
    assertRefused(run("bulk terminate --prefix a"), ExitCode.BAD_INPUT, "filter.prefix is not for");
    assertRefused(run("bulk eat --everything"), ExitCode.BAD_INPUT, "CHANGE");

    assertThat(done("bulk pause --everything --until-done")).contains("everything");
    assertThat(run("jobs --state ACTIVE").out()).doesNotContain("nightly");
  }

  @Test
  void absentOneIsAFailure() {
    assertRefused(run("bulk-stop 12345"), ExitCode.FAILED, "there is no bulk change 12345");
    assertRefused(run("bulks 12345"), ExitCode.FAILED, "there is no bulk change 12345");
  }
}
