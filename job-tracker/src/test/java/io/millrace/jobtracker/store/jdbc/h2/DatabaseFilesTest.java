package io.millrace.jobtracker.store.jdbc.h2;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.jobtracker.store.jdbc.JdbcStores;
import io.millrace.jobtracker.store.jdbc.connect.StoreConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DatabaseFilesTest {
  @TempDir private Path folder;

  private static String permissions(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  private static List<Path> files(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.toList();
    }
  }

  private static StoreConfig at(Path database) {
    return StoreConfig.of("jdbc:h2:file:" + database, "sa", "");
  }

  @Test
  void directoryAndFilesOfANewDatabaseAreTheirOwnersAlone() throws Exception {
    Path directory = folder.resolve("data");

    JdbcStores stores = JdbcStores.open(at(directory.resolve("tracker")));
    try {
      assertThat(permissions(directory)).isEqualTo("rwx------");
      assertThat(files(directory)).isNotEmpty();
      for (Path file : files(directory)) {
        assertThat(permissions(file)).as(file.toString()).isEqualTo("rw-------");
      }
    } finally {
      stores.close();
    }
  }

  @Test
  void filesOfAnEarlierVersionAreRestrictedAndTheDirectoryStaysAsItIs() throws Exception {
    Path directory = Files.createDirectory(folder.resolve("shared"));
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    JdbcStores.open(at(directory.resolve("tracker"))).close();
    Path database = directory.resolve("tracker.mv.db");
    Files.setPosixFilePermissions(database, PosixFilePermissions.fromString("rw-r--r--"));
    Path other = Files.writeString(directory.resolve("tracker2.mv.db"), "of another");
    Files.setPosixFilePermissions(other, PosixFilePermissions.fromString("rw-r--r--"));

    JdbcStores.open(at(directory.resolve("tracker"))).close();

    assertThat(permissions(directory)).isEqualTo("rwxr-xr-x");
    assertThat(permissions(database)).isEqualTo("rw-------");
    assertThat(permissions(other)).isEqualTo("rw-r--r--");
  }

  @Test
  void aTraceThatIsWrittenLaterIsRestrictedByTheNextCompaction() throws Exception {
    JdbcStores stores = JdbcStores.open(at(folder.resolve("tracker")));
    try {
      Path trace = Files.writeString(folder.resolve("tracker.trace.db"), "an error");
      Files.setPosixFilePermissions(trace, PosixFilePermissions.fromString("rw-r--r--"));

      int unused = stores.compaction().runOnce();

      assertThat(permissions(trace)).isEqualTo("rw-------");
    } finally {
      stores.close();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jdbc:h2:mem:tracker",
        "jdbc:h2:mem:",
        "jdbc:h2:tcp://localhost/data/tracker",
        "jdbc:h2:zip:data.zip!/tracker",
        "jdbc:h2:retry:/data/tracker",
        "jdbc:mysql://localhost/tracker",
      })
  void whatIsNoFileOfThisProcessIsLeftAlone(String url) {
    assertThat(DatabaseFiles.of(url)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jdbc:h2:file:./data/tracker",
        "jdbc:h2:./data/tracker;MODE=MySQL",
        "jdbc:h2:/data/tracker",
        "jdbc:h2:async:/data/tracker",
        "jdbc:h2:~/data/tracker",
        "jdbc:h2:file:C:/data/tracker",
      })
  void aFileIsFound(String url) {
    assertThat(DatabaseFiles.of(url)).isPresent();
  }
}
