package io.millrace.internal.outbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.OutboxConfig;
import io.millrace.api.OutboxException;
import io.millrace.internal.outbox.Outbox.NewEntry;
import io.millrace.internal.time.ManualClock;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutboxTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  @TempDir Path directory;

  private final ManualClock clock = new ManualClock(START);
  private final List<Outbox> opened = new ArrayList<>();

  @AfterEach
  void close() {
    opened.forEach(Outbox::close);
  }

  private Outbox open() {
    return open(bounds(1_000, 1 << 20));
  }

  private Outbox open(OutboxConfig config) {
    Outbox outbox = Outbox.open(config, clock);
    opened.add(outbox);
    return outbox;
  }

  private OutboxConfig bounds(int maxEntries, long maxBytes) {
    return new OutboxConfig(directory, maxEntries, maxBytes, Duration.ofHours(1), false);
  }

  private static byte[] body(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static List<String> bodies(List<Outbox.Entry> entries) {
    return entries.stream().map(entry -> new String(entry.body(), StandardCharsets.UTF_8)).toList();
  }

  private static List<String> all(Outbox outbox) {
    return bodies(outbox.entries());
  }

  private Path file() {
    return directory.resolve("outbox.mv");
  }

  @Test
  void entriesComeBackInOrderWithEverythingTheyWereAddedWith() {
    Outbox outbox = open();
    long first = outbox.add("a", body("1"));
    clock.advance(Duration.ofMillis(5));
    List<Long> others =
        outbox.addAll(List.of(new NewEntry("b", body("2")), new NewEntry("a", body("3"))));

    List<Outbox.Entry> entries = outbox.entries();

    assertThat(bodies(entries)).containsExactly("1", "2", "3");
    assertThat(entries)
        .extracting(Outbox.Entry::sequence)
        .containsExactly(first, others.get(0), others.get(1))
        .isSorted();
    assertThat(entries).extracting(Outbox.Entry::key).containsExactly("a", "b", "a");
    assertThat(entries)
        .extracting(Outbox.Entry::storedAt)
        .containsExactly(START.toEpochMilli(), START.toEpochMilli() + 5, START.toEpochMilli() + 5);
  }

  @Test
  void everythingIsThereWhenItIsOpenedAgain() {
    Outbox outbox = open();
    outbox.addAll(List.of(new NewEntry("a", body("1")), new NewEntry("b", body("22"))));
    outbox.setProperties(Map.of("id", "worker-1"));
    outbox.close();

    Outbox again = open();

    assertThat(all(again)).containsExactly("1", "22");
    assertThat(again.size()).isEqualTo(2);
    assertThat(again.bytes()).isEqualTo(5);
    assertThat(again.property("id")).contains("worker-1");
    assertThat(again.add("c", body("3"))).isGreaterThan(again.entries().get(1).sequence());
    assertThat(again.setAside()).isEmpty();
  }

  @Test
  void whatIsRemovedIsGone() {
    Outbox outbox = open();
    List<Long> sequences =
        outbox.addAll(
            List.of(
                new NewEntry("a", body("1")),
                new NewEntry("b", body("2")),
                new NewEntry("c", body("3"))));

    outbox.remove(List.of(sequences.get(0), sequences.get(2), 99L, sequences.get(0)));

    assertThat(all(outbox)).containsExactly("2");
    assertThat(outbox.bytes()).isEqualTo(2);
    outbox.close();
    assertThat(all(open())).containsExactly("2");
  }

  @Test
  void entryIsFoundByItsSequenceWhileItIsThere() {
    Outbox outbox = open();
    long first = outbox.add("a", body("1"));
    long second = outbox.add("a", body("2"));

    assertThat(outbox.entry(second))
        .hasValueSatisfying(entry -> assertThat(bodies(List.of(entry))).containsExactly("2"));
    outbox.remove(List.of(second));

    assertThat(outbox.entry(second)).isEmpty();
    assertThat(outbox.entry(first)).isPresent();
  }

  @Test
  void keysAreKnownByTheSequencesOfTheirEntries() {
    Outbox outbox = open();
    long first = outbox.add("a", body("1"));
    long second = outbox.add("b", body("2"));
    long third = outbox.add("a", body("3"));

    assertThat(outbox.keys())
        .containsExactly(Map.entry(first, "a"), Map.entry(second, "b"), Map.entry(third, "a"));
    outbox.remove(List.of(second));
    assertThat(outbox.keys()).containsExactly(Map.entry(first, "a"), Map.entry(third, "a"));
  }

  @Test
  void fullOutboxNamesTheBoundOfEntriesAndAddsNothing() {
    Outbox outbox = open(bounds(3, 1_000));
    outbox.addAll(List.of(new NewEntry("a", body("1")), new NewEntry("a", body("2"))));

    assertThatThrownBy(
            () ->
                outbox.addAll(List.of(new NewEntry("a", body("3")), new NewEntry("a", body("4")))))
        .isInstanceOf(OutboxFullException.class)
        .hasMessageContaining(directory.toString())
        .hasMessageContaining("it has 2 of maxEntries=3 entries; 2 more do not fit");
    assertThat(all(outbox)).containsExactly("1", "2");
    outbox.add("a", body("3"));
    assertThat(all(outbox)).containsExactly("1", "2", "3");
  }

  @Test
  void fullOutboxNamesTheBoundOfBytes() {
    Outbox outbox = open(bounds(10, 10));
    outbox.add("a", body("12345"));

    assertThatThrownBy(() -> outbox.add("a", body("1234")))
        .isInstanceOf(OutboxFullException.class)
        .hasMessageContaining("it has 6 of maxBytes=10 bytes; 5 more do not fit");
    outbox.remove(List.of(outbox.entries().get(0).sequence()));
    outbox.add("a", body("1234"));
    assertThat(outbox.bytes()).isEqualTo(5);
  }

  @Test
  void whatIsTooOldIsGivenBackOnce() {
    Outbox outbox = open(bounds(10, 1_000));
    outbox.add("a", body("old"));
    clock.advance(Duration.ofMinutes(30));
    outbox.add("a", body("young"));
    clock.advance(Duration.ofMinutes(30));
    assertThat(outbox.expire()).isEmpty();

    clock.advance(Duration.ofMillis(1));

    assertThat(bodies(outbox.expire())).containsExactly("old");
    assertThat(outbox.expire()).isEmpty();
    assertThat(all(outbox)).containsExactly("young");
  }

  @Test
  void directoryHasOneOutboxAtATime() {
    Outbox outbox = open();

    assertThatThrownBy(this::open)
        .isInstanceOf(OutboxInUseException.class)
        .hasMessageContaining(directory.toString())
        .hasMessageContaining("in use");
    outbox.close();
    open();
  }

  @Test
  void everyChangeIsForcedToTheDiskUnlessItIsSaidOtherwise() {
    assertThat(OutboxConfig.of(directory).sync()).isTrue();
    Outbox outbox = open(OutboxConfig.of(directory));
    outbox.add("a", body("1"));
    outbox.close();
    assertThat(all(open())).containsExactly("1");
  }

  @Test
  void placeThatIsNoDirectoryIsAnErrorThatNamesIt() throws IOException {
    Path place = Files.createFile(directory.resolve("file"));

    assertThatThrownBy(() -> open(OutboxConfig.of(place)))
        .isInstanceOf(OutboxException.class)
        .hasMessageContaining(place.toString())
        .hasMessageContaining("cannot be written");
  }

  @Test
  void closedOutboxSaysSo() {
    Outbox outbox = open();
    outbox.close();
    outbox.close();

    assertThatThrownBy(() -> outbox.add("a", body("1")))
        .isInstanceOf(OutboxException.class)
        .hasMessageContaining("is closed");
  }

  @Test
  void interruptedThreadStillStores() {
    Outbox outbox = open();
    Thread.currentThread().interrupt();

    outbox.add("a", body("1"));

    assertThat(Thread.interrupted()).isTrue();
    outbox.add("a", body("2"));
    assertThat(all(outbox)).containsExactly("1", "2");
  }

  @Test
  void fileDoesNotGrowWhileEntriesComeAndGo() throws IOException {
    Outbox outbox = open(new OutboxConfig(directory, 1_000, 8 << 20, Duration.ofHours(1), false));
    byte[] large = new byte[10_000];
    for (int i = 0; i < 150; i++) {
      List<Long> sequences =
          outbox.addAll(IntStream.range(0, 10).mapToObj(n -> new NewEntry("k", large)).toList());
      outbox.remove(sequences);
    }

    assertThat(Files.size(file())).isLessThan(5 << 20);
  }

  @Test
  void fileIsAtMostFourTimesAsLargeAsWhatItHolds() throws IOException {
    Outbox outbox = open(new OutboxConfig(directory, 9_000, 16 << 20, Duration.ofHours(1), false));
    for (int i = 0; i < 600; i++) {
      outbox.add("key", new byte[3_000]);
      assertThat(Files.size(file())).isLessThan(4 * Math.max(outbox.bytes(), 1 << 20) + 50_000);
    }
    assertThat(outbox.entries()).hasSize(600);
    outbox.close();
    assertThat(open().size()).isEqualTo(600);
  }

  @Test
  void fileShrinksWhenItWasDrained() throws IOException {
    Outbox outbox = open(new OutboxConfig(directory, 1_000, 16 << 20, Duration.ofHours(1), false));
    outbox.addAll(
        IntStream.range(0, 800).mapToObj(i -> new NewEntry("k" + i, new byte[10_000])).toList());
    long full = Files.size(file());
    assertThat(full).isGreaterThan(8_000_000);

    while (outbox.size() > 0) {
      outbox.remove(outbox.entries().stream().limit(100).map(e -> e.sequence()).toList());
    }

    assertThat(Files.size(file())).isLessThan(5 << 20);
    outbox.close();
    assertThat(Files.size(file())).isLessThan(64 << 10);
  }

  @Test
  void boundsThatMakeNoSenseAreRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> bounds(0, 1))
        .withMessageContaining("maxEntries must be at least 1: 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> bounds(1, 0))
        .withMessageContaining("maxBytes must be at least 1: 0");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new OutboxConfig(directory, 1, 1, Duration.ofDays(2)))
        .withMessageContaining("maxAge must be positive and at most PT36H: PT48H");
  }
}
