package io.millrace.internal.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.OutboxConfig;
import io.millrace.internal.time.ManualClock;
import io.millrace.internal.time.ManualTimer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.IntStream;
import org.h2.store.fs.FilePath;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Passes over the disk: what they write, remove and expire, and when another one follows. */
class OutboxPumpTest {
  private static final Duration PAUSE = Duration.ofSeconds(1);

  @TempDir Path directory;

  private final ManualClock clock = new ManualClock(Instant.parse("2026-01-01T12:30:00.250Z"));
  private final ManualTimer timer = new ManualTimer(clock);
  private final FailingDisk failing = new FailingDisk();
  private final Queue<Runnable> disk = new ArrayDeque<>();
  private final Notes notes = new Notes();
  private Outbox outbox;
  private OutboxPump<String> pump;
  private boolean rejecting;

  @BeforeEach
  void open() {
    failing.rule();
    open(1_000, 1_000);
  }

  private void open(int maxEntries, long maxBytes) {
    if (outbox != null) {
      outbox.close();
    }
    OutboxConfig config = new OutboxConfig(directory, maxEntries, maxBytes, Duration.ofHours(1));
    outbox = Outbox.open(config, clock, failing.getScheme() + ":");
    pump = new OutboxPump<>(outbox, notes, PAUSE, disk::add, timer);
  }

  @AfterEach
  void close() {
    pump.close();
    FilePath.unregister(failing);
  }

  /** Notes each pass. An item is the key of its entry; four entries fit into the outbox. */
  private final class Notes implements OutboxPump.Owner<String> {
    final List<OutboxPump.Pass<String>> passes = new ArrayList<>();
    final List<List<String>> found = new ArrayList<>();
    int encoded;
    int mostUnwritten;

    @Override
    public Outbox.NewEntry encode(String item) {
      if (item.isEmpty()) {
        throw new IllegalArgumentException("no key");
      }
      encoded++;
      mostUnwritten = Math.max(mostUnwritten, encoded - outbox.size());
      return new Outbox.NewEntry(item, "x".repeat(200).getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void findWritten() {
      found.add(List.copyOf(outbox.keys().values()));
    }

    @Override
    public Runnable passed(OutboxPump<String> pump, OutboxPump.Pass<String> pass) {
      return () -> passes.add(pass);
    }

    OutboxPump.Pass<String> last() {
      return passes.get(passes.size() - 1);
    }
  }

  private void runDisk() {
    while (!disk.isEmpty()) {
      disk.remove().run();
    }
  }

  private void write(String... items) {
    for (String item : items) {
      pump.add(item);
    }
    pump.flush();
    runDisk();
  }

  private List<String> failedItems() {
    return notes.last().written().stream()
        .filter(result -> result.failure() != null)
        .map(OutboxPump.Written::item)
        .toList();
  }

  @Test
  void itemsThatGatherAreWrittenInOnePass() {
    pump.add("a");
    pump.flush();
    pump.add("b");
    pump.flush();
    assertThat(disk).hasSize(1);

    runDisk();

    assertThat(notes.last().written()).extracting(OutboxPump.Written::item).contains("a", "b");
    assertThat(outbox.keys().values()).containsExactlyInAnyOrder("a", "b");
  }

  @Test
  void discardedItemIsNotWritten() {
    pump.add("a");

    assertThat(pump.discard("a")).isTrue();

    write("b");
    assertThat(outbox.keys().values()).containsExactly("b");
    assertThat(pump.discard("b")).isFalse();
  }

  @Test
  void itemsThatFitAreWrittenAlsoWhenOthersDoNotFit() {
    write("a", "b", "", "c", "d", "e");

    assertThat(outbox.keys().values()).containsExactlyInAnyOrder("a", "b", "c", "d");
    assertThat(failedItems()).containsExactlyInAnyOrder("", "e");
    assertThat(notes.last().failed()).isFalse();
  }

  @Test
  void manyItemsOfAPassAreEncodedNoFasterThanTheyAreWritten() {
    open(5_000, 5_000_000);
    int count = 2 * OutboxPump.MAX_WRITE + 1;
    String[] items = IntStream.range(0, count).mapToObj(i -> "i" + i).toArray(String[]::new);

    write(items);

    assertThat(outbox.keys().values()).containsExactlyInAnyOrder(items);
    assertThat(notes.passes).hasSize(1);
    assertThat(notes.last().written()).hasSize(items.length);
    assertThat(notes.mostUnwritten).isEqualTo(OutboxPump.MAX_WRITE);
  }

  @Test
  void removalMakesRoomForTheItemsOfItsPass() {
    open(1, 1_000);
    write("a");

    pump.remove(notes.last().written().get(0).sequence());
    write("b");

    assertThat(outbox.keys().values()).containsExactly("b");
    assertThat(notes.last().removed()).hasSize(1);
    assertThat(failedItems()).isEmpty();
  }

  @Test
  void removalThatFailsIsRepeatedAfterThePause() {
    write("a");
    pump.remove(notes.last().written().get(0).sequence());
    failing.full = true;
    write();
    assertThat(notes.last().failed()).isTrue();
    assertThat(notes.last().removed()).isEmpty();

    failing.full = false;
    timer.advance(PAUSE);
    runDisk();

    assertThat(notes.last().removed()).hasSize(1);
    assertThat(outbox.keys().values()).isEmpty();
  }

  @Test
  void timedPassThatTheExecutorRejectsFollowsLater() {
    pump = new OutboxPump<>(outbox, notes, PAUSE, this::onDisk, timer);
    write("a");
    pump.remove(notes.last().written().get(0).sequence());
    failing.full = true;
    write();
    failing.full = false;

    rejecting = true;
    timer.advance(PAUSE);
    rejecting = false;
    runDisk();
    assertThat(outbox.keys().values()).containsExactly("a");
    timer.advance(PAUSE);
    runDisk();

    assertThat(outbox.keys().values()).isEmpty();
  }

  @Test
  void expiryThatTheExecutorRejectsFollowsLater() {
    pump = new OutboxPump<>(outbox, notes, PAUSE, this::onDisk, timer);
    pump.expireEvery(Duration.ofMinutes(10));
    write("a");
    rejecting = true;
    timer.advance(Duration.ofMinutes(10));
    rejecting = false;

    timer.advance(Duration.ofMinutes(70));
    runDisk();

    assertThat(outbox.keys().values()).isEmpty();
  }

  private void onDisk(Runnable task) {
    if (rejecting) {
      throw new RejectedExecutionException("no thread can be created");
    }
    disk.add(task);
  }

  @Test
  void entryOfAWriteThatSeemsToFailIsFound() {
    failing.forceFails = true;
    write("a");
    assertThat(failedItems()).containsExactly("a");
    assertThat(notes.last().failed()).isTrue();
    assertThat(notes.found).isEmpty();

    failing.forceFails = false;
    timer.advance(PAUSE);
    runDisk();

    assertThat(notes.found).hasSize(1);
    assertThat(notes.found.get(0)).containsExactly("a");
    write("b");
    assertThat(failedItems()).isEmpty();
    assertThat(notes.found).hasSize(1);
  }

  @Test
  void entriesThatAreTooOldLeaveAfterEachPeriod() {
    pump.expireEvery(Duration.ofMinutes(10));
    write("a");
    assertThat(notes.last().expired()).isEmpty();

    timer.advance(Duration.ofMinutes(60));
    runDisk();
    assertThat(outbox.keys().values()).containsExactly("a");
    timer.advance(Duration.ofMinutes(10));
    runDisk();

    assertThat(notes.last().expired()).extracting(Outbox.Entry::key).containsExactly("a");
    assertThat(outbox.keys().values()).isEmpty();
  }

  @Test
  void closeWritesTheAddedItemsAndEndsTheOutbox() {
    pump.add("a");

    pump.close();

    assertThat(pump.isClosed()).isTrue();
    assertThat(failedItems()).isEmpty();
    open(1_000, 1_000);
    assertThat(outbox.keys().values()).containsExactly("a");
  }

  @Test
  void callerRunsThePassThatTheExecutorRejects() {
    pump =
        new OutboxPump<>(
            outbox,
            notes,
            PAUSE,
            task -> {
              throw new RejectedExecutionException("it is closed");
            },
            timer);

    write("a");

    assertThat(outbox.keys().values()).containsExactly("a");
  }
}
