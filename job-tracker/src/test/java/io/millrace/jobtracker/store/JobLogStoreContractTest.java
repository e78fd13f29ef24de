package io.millrace.jobtracker.store;

import static io.millrace.jobtracker.store.StoreRows.nextId;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.internal.model.LogLevel;
import io.millrace.internal.protocol.LogLine;
import io.millrace.jobtracker.store.JobLogStore.Filter;
import io.millrace.jobtracker.store.JobLogStore.Found;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class JobLogStoreContractTest extends StoreContract {
  private JobLogStore store;
  private long execution;

  @BeforeEach
  void takeStore() {
    store = stores.jobLog();
    execution = nextId();
  }

  private LogLine line(int sequence, String text) {
    return new LogLine(execution, sequence, Instant.ofEpochMilli(5_000), LogLevel.INFO, text);
  }

  private List<LogLine> lines(int from, int to) {
    return IntStream.rangeClosed(from, to).mapToObj(i -> line(i, "line " + i)).toList();
  }

  @Test
  void lineOfEachLevelComesBackAsItWasAppended() {
    List<LogLine> lines =
        Arrays.stream(LogLevel.values())
            .map(
                level ->
                    new LogLine(
                        execution,
                        level.ordinal() + 1,
                        Instant.ofEpochMilli(level.ordinal()),
                        level,
                        "🌾 " + level))
            .toList();

    assertThat(store.append(lines)).isEqualTo(lines.size());
    assertThat(store.read(execution, 0, 100)).isEqualTo(lines);
  }

  @Test
  void readsOnInOrderAndNeverMixesExecutions() {
    LogLine other = new LogLine(nextId(), 2, Instant.EPOCH, LogLevel.WARN, "of another");
    List<LogLine> appended = new ArrayList<>(lines(1, 5));
    appended.add(2, other);
    store.append(appended);

    assertThat(store.read(execution, 0, 3)).isEqualTo(lines(1, 3));
    assertThat(store.read(execution, 3, 10)).isEqualTo(lines(4, 5));
    assertThat(store.read(other.executionId(), 0, 10)).containsExactly(other);
  }

  @Test
  void lastLinesBelowOneAreReadInOrderAndNeverMixExecutions() {
    LogLine other = new LogLine(nextId(), 2, Instant.EPOCH, LogLevel.WARN, "of another");
    store.append(lines(1, 5));
    store.append(List.of(other));

    assertThat(store.searchBefore(execution, Integer.MAX_VALUE, Filter.NONE, 2, 1))
        .as("without a filter, what is looked at is what is found")
        .isEqualTo(new Found(lines(4, 5), 4));
    assertThat(store.searchBefore(execution, 4, Filter.NONE, 3, 100))
        .isEqualTo(new Found(lines(1, 3), 1));
    assertThat(store.searchBefore(execution, 1, Filter.NONE, 3, 100))
        .isEqualTo(new Found(List.of(), null));
    assertThat(store.searchBefore(execution, 4, Filter.NONE, 4, 100))
        .isEqualTo(new Found(lines(1, 3), null));
    assertThat(store.searchBefore(other.executionId(), Integer.MAX_VALUE, Filter.NONE, 9, 100))
        .isEqualTo(new Found(List.of(other), null));
  }

  @Test
  void firstLinesAboveOneAreReadLikewise() {
    store.append(lines(1, 5));

    assertThat(store.searchAfter(execution, 0, Filter.NONE, 2, 1))
        .isEqualTo(new Found(lines(1, 2), 2));
    assertThat(store.searchAfter(execution, 2, Filter.NONE, 9, 100))
        .isEqualTo(new Found(lines(3, 5), null));
  }

  private void appendOfEachLevel() {
    store.append(
        Arrays.stream(LogLevel.values())
            .map(
                level ->
                    new LogLine(
                        execution,
                        level.ordinal() + 1,
                        Instant.EPOCH,
                        level,
                        "line of level " + level))
            .toList());
  }

  private List<Integer> sequences(Filter filter) {
    Found upward = store.searchBefore(execution, Integer.MAX_VALUE, filter, 100, 1_000);
    assertThat(store.searchAfter(execution, 0, filter, 100, 1_000)).isEqualTo(upward);
    return upward.lines().stream().map(LogLine::sequence).toList();
  }

  @Test
  void linesOfALevelAndHigherOnesAreFound() {
    appendOfEachLevel();

    assertThat(sequences(new Filter(LogLevel.DEBUG, null))).containsExactly(1, 2, 3, 4, 5);
    assertThat(sequences(new Filter(LogLevel.WARN, null))).containsExactly(3, 4, 5);
    assertThat(sequences(new Filter(LogLevel.UNKNOWN, null))).containsExactly(5);
    assertThat(sequences(new Filter(LogLevel.WARN, "level error"))).containsExactly(4);
  }

  @Test
  void containedTextIsFoundInAnyCaseAndHasNoWildcards() {
    store.append(
        List.of(
            line(1, "ÜBERWEISUNG an \u5f20\u4e09: 100%"),
            line(2, "überweisung_2"),
            line(3, "uberweisung\\3 \ud83c\udf3e"),
            line(4, "it's \"done\"")));

    assertThat(sequences(new Filter(null, "Überweisung"))).containsExactly(1, 2);
    assertThat(sequences(new Filter(null, "BERWEISUNG"))).containsExactly(1, 2, 3);
    assertThat(sequences(new Filter(null, "%"))).containsExactly(1);
    assertThat(sequences(new Filter(null, "_"))).containsExactly(2);
    assertThat(sequences(new Filter(null, "\\"))).containsExactly(3);
    assertThat(sequences(new Filter(null, "\ud83c\udf3e"))).containsExactly(3);
    assertThat(sequences(new Filter(null, "\u5f20\u4e09"))).containsExactly(1);
    assertThat(sequences(new Filter(null, "'s \"DONE"))).containsExactly(4);
    assertThat(sequences(new Filter(null, "nothing like it"))).isEmpty();
  }

  @Test
  void searchLooksAtABoundedNumberOfLinesAndGoesOn() {
    store.append(lines(1, 10));
    Filter rare = new Filter(null, "line 1");

    assertThat(store.searchBefore(execution, Integer.MAX_VALUE, rare, 9, 4))
        .isEqualTo(new Found(lines(10, 10), 7));
    assertThat(store.searchBefore(execution, 7, rare, 9, 4)).isEqualTo(new Found(List.of(), 3));
    assertThat(store.searchBefore(execution, 3, rare, 9, 4))
        .isEqualTo(new Found(lines(1, 1), null));

    assertThat(store.searchAfter(execution, 0, rare, 9, 4)).isEqualTo(new Found(lines(1, 1), 4));
    assertThat(store.searchAfter(execution, 4, rare, 9, 4)).isEqualTo(new Found(List.of(), 8));
    assertThat(store.searchAfter(execution, 8, rare, 9, 4))
        .isEqualTo(new Found(lines(10, 10), null));
    assertThat(store.searchAfter(execution, 0, rare, 1, 100))
        .as("as many as were asked for")
        .isEqualTo(new Found(lines(1, 1), 1));
  }

  @Test
  void lineSentAgainIsLeftAsItIsAndCountedAsStored() {
    store.append(lines(1, 3));

    assertThat(store.append(List.of(line(3, "changed"), line(4, "line 4")))).isEqualTo(2);
    assertThat(store.append(lines(1, 4))).isEqualTo(4);
    assertThat(store.read(execution, 0, 10)).isEqualTo(lines(1, 4));
  }

  @Test
  void lineTwiceInOneBatchIsStoredOnce() {
    assertThat(store.append(List.of(line(1, "first"), line(1, "second")))).isEqualTo(2);
    assertThat(store.append(List.of())).isZero();

    assertThat(store.read(execution, 0, 10)).containsExactly(line(1, "first"));
  }

  @Test
  void bytesOfExecutionsAreThoseOfUtf8() {
    store.append(List.of(line(1, "abc"), line(2, "\u00e9"), line(3, "\u65e5\ud83d\ude00")));

    assertThat(store.bytesOf(Set.of(execution, -1L))).containsExactly(Map.entry(execution, 12L));
    assertThat(store.bytesOf(Set.of(-1L))).isEmpty();
  }

  @Test
  void linesOfOlderExecutionsAreDeletedOldestFirst() {
    store.deleteBelow(Long.MAX_VALUE, 1_000_000);
    long older = execution;
    List<LogLine> ofOlder = lines(1, 3);
    execution = nextId();
    List<LogLine> ofNewer = lines(1, 3);
    store.append(ofNewer);
    store.append(ofOlder);

    assertThat(store.deleteBelow(older, 10)).isZero();
    assertThat(store.deleteBelow(execution, 2)).isEqualTo(2);
    assertThat(store.read(older, 0, 10)).isEqualTo(ofOlder.subList(2, 3));
    assertThat(store.deleteBelow(execution, 2)).isEqualTo(1);
    assertThat(store.deleteBelow(execution, 2)).isZero();
    assertThat(store.read(execution, 0, 10)).isEqualTo(ofNewer);

    assertThat(store.deleteBelow(execution + 1, 2)).isEqualTo(2);
    assertThat(store.read(execution, 0, 10)).isEqualTo(ofNewer.subList(2, 3));
  }

  @Test
  void thousandLinesOfFullLengthAreStored() {
    List<LogLine> lines =
        IntStream.rangeClosed(1, 1_000).mapToObj(i -> line(i, "é".repeat(8_000))).toList();

    assertThat(store.append(lines)).isEqualTo(1_000);
    assertThat(store.read(execution, 0, 2_000)).isEqualTo(lines);
  }

  @Test
  void lineIsCutWhereItFitsAndNeverInsideACharacter() {
    store.append(List.of(line(1, "x" + "🌾".repeat(4_000))));

    assertThat(store.read(execution, 0, 1).get(0).text()).isEqualTo("x" + "🌾".repeat(3_999));
  }

  @Test
  void resendsOfOneBatchAtTheSameTimeAllSucceed() {
    Stores other = database.anotherTracker();
    try (Racer racer = new Racer()) {
      for (int round = 0; round < 20; round++) {
        execution = nextId();
        List<LogLine> lines = lines(1, 50);
        Callable<Integer> send = () -> stores.jobLog().append(lines);
        Callable<Integer> resend = () -> other.jobLog().append(lines);

        assertThat(racer.together(List.of(send, resend))).containsExactly(50, 50);
        assertThat(store.read(execution, 0, 100)).isEqualTo(lines);
      }
    }
  }
}
