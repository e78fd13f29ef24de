package io.millrace.internal.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.OutboxConfig;
import io.millrace.internal.time.ManualClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What waits in an outbox has parameters and results in it. */
class OutboxPermissionsTest {
  @TempDir private Path folder;

  private final ManualClock clock = new ManualClock(Instant.parse("2026-01-01T00:00:00Z"));

  private Path directory() {
    return folder.resolve("outbox");
  }

  private Outbox open() {
    return Outbox.open(
        new OutboxConfig(directory(), 1_000, 64 << 20, Duration.ofHours(1), false), clock);
  }

  private static String permissions(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  private void areTheirOwnersAlone() throws IOException {
    try (Stream<Path> files = Files.list(directory())) {
      List<Path> found = files.toList();
      assertThat(found).hasSizeGreaterThanOrEqualTo(2);
      for (Path file : found) {
        assertThat(permissions(file)).as(file.toString()).isEqualTo("rw-------");
      }
    }
  }

  @Test
  void directoryAndFilesAreTheirOwnersAlone() throws Exception {
    try (Outbox outbox = open()) {
      long unused = outbox.add("key", new byte[10]);
      assertThat(permissions(directory())).isEqualTo("rwx------");
      areTheirOwnersAlone();
    }
  }

  @Test
  void aFileThatIsWrittenAnewIsTooAndOneOfAnEarlierVersionBecomesSo() throws Exception {
    try (Outbox outbox = open()) {
      List<Long> added = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        added.add(outbox.add("key", new byte[2_000]));
      }
      outbox.remove(added);
    }
    Path file = directory().resolve("outbox.mv");
    areTheirOwnersAlone();
    Path damaged = Files.writeString(directory().resolve("outbox.damaged-1"), "damaged");
    for (Path wide : List.of(file, damaged)) {
      Files.setPosixFilePermissions(wide, PosixFilePermissions.fromString("rw-r--r--"));
    }

    try (Outbox outbox = open()) {
      assertThat(outbox.size()).isZero();
      areTheirOwnersAlone();
    }
  }
}
