package io.millrace.scripts.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.scripts.CommandRun;
import io.millrace.scripts.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code millrace tracker} on a database whose jobs need a newer version. */
class OutdatedTrackerCommandTest {
  @TempDir private Path directory;

  @Test
  void commandSaysWhatTheJobsNeedAndLeavesNothingBehind() throws Exception {
    String url = "jdbc:h2:file:" + directory.resolve("store") + ";WRITE_DELAY=0";
    Path config = directory.resolve("tracker.properties");
    Files.write(config, List.of("store.url = " + url, "rpc.port = 0", "console.enabled = false"));
    assertThat(CommandRun.of("db", "migrate", "--config", config.toString()).exitCode())
        .isEqualTo(ExitCode.OK);
    try (Connection connection = DriverManager.getConnection(url, "", "");
        Statement statement = connection.createStatement()) {
      statement.execute("INSERT INTO jt_cluster VALUES ('required_level', '99 batches')");
    }

    CommandRun refused = CommandRun.of("tracker", "--config", config.toString());

    assertThat(refused.exitCode()).isEqualTo(ExitCode.FAILED);
    assertThat(refused.error())
        .startsWith(
            "millrace tracker: stored jobs need trackers of feature level 99 (batches), and this"
                + " one has level ")
        .endsWith("; start a newer version\n")
        .hasLineCount(1);
    assertThat(refused.out()).isEmpty();
    try (Connection connection = DriverManager.getConnection(url, "", "");
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM jt_tracker")) {
      assertThat(rows.next()).isTrue();
      assertThat(rows.getInt(1)).isZero();
    }
  }
}
