package io.millrace.internal.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.OutboxConfig;
import io.millrace.api.OutboxException;
import io.millrace.internal.time.ManualClock;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.h2.store.fs.FilePath;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that are damaged, and disks that fail. */
class OutboxFaultsTest {
  private static final int ENTRIES = 50;

  @TempDir Path directory;

  private final ManualClock clock = new ManualClock(Instant.parse("2026-01-01T12:30:00.250Z"));
  private final FailingDisk disk = new FailingDisk();

  @BeforeEach
  void registerDisk() {
    disk.rule();
  }

  @AfterEach
  void unregisterDisk() {
    FilePath.unregister(disk);
  }

  private Outbox open() {
    return Outbox.open(
        new OutboxConfig(directory, 1_000, 1 << 20, Duration.ofHours(1), false), clock);
  }

  private Outbox openOnFailingDisk() {
    return Outbox.open(OutboxConfig.of(directory), clock, disk.getScheme() + ":");
  }

  private Path file() {
    return directory.resolve("outbox.mv");
  }

  private void fill() {
    try (Outbox outbox = open()) {
      outbox.setProperties(Map.of("id", "worker-1"));
      for (int i = 0; i < ENTRIES; i++) {
        outbox.add("key-" + i, text(i));
      }
    }
  }

  private static byte[] text(int i) {
    return ("body-" + i + "-").repeat(20).getBytes(StandardCharsets.UTF_8);
  }

  private void overwrite(long position, byte[] bytes) throws IOException {
    try (FileChannel channel = FileChannel.open(file(), StandardOpenOption.WRITE)) {
      channel.write(ByteBuffer.wrap(bytes), position);
    }
  }

  private static void assertWorks(Outbox outbox) {
    long sequence = outbox.add("new", new byte[] {1});
    assertThat(ofKey(outbox, "new")).extracting(Outbox.Entry::sequence).containsExactly(sequence);
  }

  private static List<Outbox.Entry> ofKey(Outbox outbox, String key) {
    return outbox.entries().stream().filter(entry -> entry.key().equals(key)).toList();
  }

  @Test
  void fileOfNonsenseIsPutAsideAndANewOneBegun() throws IOException {
    byte[] nonsense = new byte[20_000];
    new Random(1).nextBytes(nonsense);
    Files.write(file(), nonsense);

    try (Outbox outbox = open()) {
      Path aside = directory.resolve("outbox.damaged-20260101T123000.250Z");
      assertThat(outbox.setAside()).containsExactly(aside);
      assertThat(aside).hasBinaryContent(nonsense);
      assertThat(outbox.size()).isZero();
      assertWorks(outbox);
    }
    try (Outbox again = open()) {
      assertThat(again.setAside()).isEmpty();
      assertThat(again.size()).isEqualTo(1);
    }
  }

  @Test
  void secondDamagedFileDoesNotReplaceTheFirst() throws IOException {
    for (int i = 0; i < 2; i++) {
      Files.writeString(file(), ("nonsense " + i).repeat(2_000));
      open().close();
    }

    try (var files = Files.list(directory)) {
      assertThat(files.map(path -> path.getFileName().toString()))
          .containsExactlyInAnyOrder(
              "outbox.mv",
              "outbox.lock",
              "outbox.damaged-20260101T123000.250Z",
              "outbox.damaged-20260101T123000.250Z-1");
    }
  }

  /** The store itself does not notice; the checksum of the entry does. */
  @Test
  void flippedBitOfABodyIsNoticedAndTheRestIsKept() throws IOException {
    fill();
    String content = Files.readString(file(), StandardCharsets.ISO_8859_1);
    String damaged = content.replace("body-40-body-40-", "body-40-bodx-40-");
    assertThat(damaged).isNotEqualTo(content);
    Files.writeString(file(), damaged, StandardCharsets.ISO_8859_1);

    try (Outbox outbox = open()) {
      assertThat(outbox.setAside()).hasSize(1);
      assertThat(outbox.size()).isEqualTo(40);
      assertThat(outbox.entries().get(39).body()).isEqualTo(text(39));
      assertThat(outbox.property("id")).contains("worker-1");
      assertWorks(outbox);
    }
  }

  /** Whatever is overwritten: it opens, and shows nothing that was not stored. */
  @Test
  void damageAnywhereNeverKeepsItFromOpeningNorInventsEntries() throws IOException {
    fill();
    byte[] whole = Files.readAllBytes(file());
    Random random = new Random(7);
    int noticed = 0;
    for (int run = 0; run < 40; run++) {
      Files.write(file(), whole);
      byte[] junk = new byte[1 + random.nextInt(300)];
      random.nextBytes(junk);
      overwrite(random.nextInt(whole.length), junk);
      try (Outbox outbox = open()) {
        noticed += outbox.setAside().size();
        for (Outbox.Entry entry : outbox.entries()) {
          int number = Integer.parseInt(entry.key().substring("key-".length()));
          assertThat(entry.body()).isEqualTo(text(number));
        }
        assertWorks(outbox);
      }
    }
    assertThat(noticed).isPositive();
  }

  @Test
  void cutFileNeverKeepsItFromOpening() throws IOException {
    fill();
    byte[] whole = Files.readAllBytes(file());
    for (int length = 0; length < whole.length; length += 3_000) {
      Files.write(file(), Arrays.copyOf(whole, length));
      try (Outbox outbox = open()) {
        assertThat(outbox.size()).isBetween(0, ENTRIES);
        assertWorks(outbox);
      }
    }
  }

  @Test
  void fullDiskIsAnErrorAndTheOutboxGoesOnWhenThereIsRoomAgain() {
    try (Outbox outbox = openOnFailingDisk()) {
      outbox.add("a", new byte[] {1});
      disk.full = true;
      for (int i = 0; i < 3; i++) {
        assertThatThrownBy(() -> outbox.add("b", new byte[] {2}))
            .isInstanceOf(OutboxException.class)
            .isNotInstanceOf(OutboxFullException.class)
            .hasMessageContaining(directory.toString())
            .hasStackTraceContaining("No space left on device");
      }
      assertThat(outbox.size()).isEqualTo(1);

      disk.full = false;

      assertWorks(outbox);
      assertThat(outbox.setAside()).isEmpty();
      assertThat(ofKey(outbox, "a")).hasSize(1);
    }
  }

  @Test
  void fullDiskKeepsNothingFromBeingReadAfterwards() {
    try (Outbox outbox = openOnFailingDisk()) {
      List<Long> sequences = List.of(outbox.add("a", new byte[] {1}), outbox.add("b", new byte[1]));
      disk.full = true;
      assertThatThrownBy(() -> outbox.remove(sequences)).isInstanceOf(OutboxException.class);
    }
    disk.full = false;
    try (Outbox outbox = openOnFailingDisk()) {
      assertThat(outbox.size()).isEqualTo(2);
      assertThat(outbox.setAside()).isEmpty();
    }
  }

  @Test
  void diskThatCannotForceIsAnError() {
    try (Outbox outbox = openOnFailingDisk()) {
      disk.forceFails = true;
      assertThatThrownBy(() -> outbox.add("a", new byte[] {1}))
          .isInstanceOf(OutboxException.class)
          .hasStackTraceContaining("Input/output error");
      disk.forceFails = false;
      assertWorks(outbox);
    }
  }
}
