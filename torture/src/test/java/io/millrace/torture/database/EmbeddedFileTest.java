package io.millrace.torture.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedFileTest {
  @TempDir Path directory;

  @Test
  void aCopyOfAnOpenFileIsReadAndNeverChanged() throws IOException, SQLException {
    EmbeddedFile file = new EmbeddedFile(directory);
    try (Connection open = DriverManager.getConnection(file.url() + ";WRITE_DELAY=0");
        Statement statement = open.createStatement()) {
      statement.execute("CREATE TABLE t (id INT)");
      statement.execute("INSERT INTO t VALUES (1), (2)");

      String url = file.copy("copied");
      statement.execute("INSERT INTO t VALUES (3)");
      byte[] before = Files.readAllBytes(directory.resolve("copied.mv.db"));

      try (Connection copy = DriverManager.getConnection(url);
          Statement asking = copy.createStatement();
          ResultSet rows = asking.executeQuery("SELECT COUNT(*) FROM t")) {
        assertThat(rows.next()).isTrue();
        assertThat(rows.getInt(1)).isEqualTo(2);
        assertThatThrownBy(() -> asking.execute("DELETE FROM t")).isInstanceOf(SQLException.class);
      }
      assertThat(Files.readAllBytes(directory.resolve("copied.mv.db"))).isEqualTo(before);
    }
  }

  @Test
  void withoutAFileThereIsNoCopy() {
    assertThatThrownBy(() -> new EmbeddedFile(directory).copy("copied"))
        .isInstanceOf(IOException.class);
  }
}
