package io.millrace.internal.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.OutboxConfig;
import io.millrace.internal.outbox.Outbox.NewEntry;
import io.millrace.internal.time.ManualClock;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.h2.store.fs.FilePath;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process that ends after any of its writes, or in the middle of one: the outbox has what it had
 * when the last call returned, or what the call under way would have made of it.
 */
class OutboxCrashTest {
  private static final int CALLS = 80;

  @TempDir Path directory;

  private final ManualClock clock = new ManualClock(Instant.parse("2026-01-01T00:00:00Z"));
  private final FailingDisk disk = new FailingDisk();
  private final Random random = new Random(11);

  /** After each call: how many writes there had been, and what was stored. */
  private record Stored(int writes, Set<Long> sequences) {}

  @BeforeEach
  void registerDisk() {
    disk.rule();
  }

  @AfterEach
  void unregisterDisk() {
    FilePath.unregister(disk);
  }

  @Test
  void nothingThatACallHasReturnedForIsLostAtAnyWrite() throws IOException {
    List<Stored> history = write();
    Path crashed = directory.resolve("crashed");
    Path growing = directory.resolve("growing");

    int calls = 0;
    try (RandomAccessFile file = new RandomAccessFile(growing.toFile(), "rw")) {
      for (int i = 0; i < history.get(CALLS - 1).writes(); i++) {
        FailingDisk.Write write = disk.writes.get(i);
        if (calls > 0) {
          apply(file, write, write.bytes().length / 2);
          check(growing, crashed, history, calls);
        }
        apply(file, write, write.bytes().length);
        while (calls < history.size() && history.get(calls).writes() <= i + 1) {
          calls++;
        }
        if (calls > 0) {
          check(growing, crashed, history, calls);
        }
      }
    }
    assertThat(calls).isEqualTo(CALLS);
  }

  private List<Stored> write() {
    List<Stored> history = new ArrayList<>();
    try (Outbox outbox = Outbox.open(config(), clock, disk.getScheme() + ":")) {
      for (int i = 0; i < CALLS; i++) {
        call(outbox, i);
        history.add(new Stored(disk.writes.size(), sequences(outbox)));
      }
    }
    return history;
  }

  private OutboxConfig config() {
    return new OutboxConfig(
        directory.resolve("written"), 10_000, 1 << 20, OutboxConfig.DEFAULT_AGE, false);
  }

  private void call(Outbox outbox, int i) {
    List<Long> there = new ArrayList<>(sequences(outbox));
    if (there.isEmpty() || random.nextInt(3) > 0) {
      outbox.addAll(
          IntStream.rangeClosed(0, random.nextInt(8))
              .mapToObj(n -> new NewEntry("key-" + n, new byte[random.nextInt(1_000)]))
              .toList());
    } else if (random.nextInt(10) == 0) {
      outbox.setProperties(Map.of("property", Integer.toString(i)));
    } else {
      outbox.remove(there.subList(0, 1 + random.nextInt(there.size())));
    }
  }

  private static void apply(RandomAccessFile file, FailingDisk.Write write, int length)
      throws IOException {
    if (write.bytes().length == 0) {
      file.setLength(write.position());
    } else {
      file.seek(write.position());
      file.write(write.bytes(), 0, length);
    }
  }

  private static void check(Path growing, Path crashed, List<Stored> history, int calls)
      throws IOException {
    Files.write(crashed, Files.readAllBytes(growing));
    OutboxFile file = OutboxFile.open(crashed.toString(), false);
    try {
      Set<Long> found = new HashSet<>();
      file.forEach(entry -> found.add(entry.sequence()));
      Set<Long> before = history.get(calls - 1).sequences();
      Set<Long> after = calls < history.size() ? history.get(calls).sequences() : before;
      assertThat(found).isIn(before, after);
    } finally {
      file.abandon();
    }
  }

  private static Set<Long> sequences(Outbox outbox) {
    Set<Long> sequences = new HashSet<>();
    outbox.entries().forEach(entry -> sequences.add(entry.sequence()));
    return sequences;
  }
}
