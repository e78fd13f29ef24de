package io.millrace.console.api.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.RetryPolicy;
import io.millrace.console.api.history.LogReader.Look;
import io.millrace.console.http.EventStream;
import io.millrace.internal.codec.JsonCodec;
import io.millrace.internal.model.LogLevel;
import io.millrace.internal.protocol.LogLine;
import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.batch.BatchKind;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.domain.outcome.LedgerEntry.Origin;
import io.millrace.jobtracker.domain.outcome.LedgerEntry.Times;
import io.millrace.jobtracker.domain.outcome.LedgerStatus;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.TriggerCore;
import io.millrace.jobtracker.domain.trigger.TriggerKey;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.TestDatabase;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LogReaderTest {
  private static final long EXECUTION = 42;
  private static final long FINISHED_AT = 1_000_000;
  private static final long LONG_AFTER = FINISHED_AT + LogReader.STRAGGLERS.toMillis();

  private final Recorded events = new Recorded();
  private TestDatabase database;
  private Stores stores;

  /** A reader that takes notes. */
  private static final class Recorded implements EventStream {
    private final List<String> sent = new ArrayList<>();
    private final CompletableFuture<Void> closed = new CompletableFuture<>();
    private boolean ready = true;

    @Override
    public void send(String id, String event, String data) {
      sent.add(id + " " + event);
    }

    @Override
    public void keepAlive() {
      sent.add("keep-alive");
    }

    @Override
    public boolean isReady() {
      return ready;
    }

    @Override
    public CompletionStage<Void> closed() {
      return closed;
    }

    @Override
    public void end() {
      sent.add("closed");
      closed.complete(null);
    }
  }

  @BeforeEach
  void open() {
    database = TestDatabase.h2();
    stores = database.stores();
  }

  @AfterEach
  void close() {
    database.close();
  }

  private LogReader reader(int lastHad) {
    return new LogReader(EXECUTION, lastHad, events, stores, new JsonCodec(), 0);
  }

  private static Execution execution() {
    TriggerSpec spec =
        new TriggerSpec(null, RetryPolicy.NONE, false, false, "", "submission-1", "client-1");
    return new Execution(
        EXECUTION,
        "orders",
        new TriggerCore(TriggerKey.oneShot("a"), 7, 0, 0, 1),
        0,
        100,
        0,
        spec,
        StoredParams.NONE,
        "worker-1",
        0,
        false,
        false,
        null);
  }

  private void isUnderWay() {
    stores.executing().insert(List.of(execution()));
  }

  /** The execution has ended, and its run goes on as parts. */
  private void hasSplit() {
    stores.executing().delete(List.of(EXECUTION));
    stores.batches().insert(List.of(Batch.opened(execution(), BatchKind.MAP, 2)));
  }

  private void hasEnded() {
    stores.executing().delete(List.of(EXECUTION));
    stores
        .ledger()
        .append(
            List.of(
                new LedgerEntry(
                    EXECUTION,
                    "orders",
                    new TriggerCore(TriggerKey.oneShot("a"), 7, 0, 0, 1),
                    LedgerStatus.SUCCEEDED,
                    true,
                    null,
                    0,
                    1,
                    new Times(0, 0, 0L, 0L, FINISHED_AT),
                    "worker-1",
                    null,
                    new Origin(null, null, null, null, null))));
  }

  private void logs(int from, int to) {
    stores
        .jobLog()
        .append(
            IntStream.rangeClosed(from, to)
                .mapToObj(
                    sequence ->
                        new LogLine(EXECUTION, sequence, Instant.EPOCH, LogLevel.INFO, "a line"))
                .toList());
  }

  @Test
  void sendsWhatIsNewAndGoesOn() {
    isUnderWay();
    logs(1, 3);
    LogReader reader = reader(1);

    assertThat(reader.runOnce(0, 0)).isEqualTo(Look.LATER);
    assertThat(events.sent).containsExactly("2 line", "3 line");
    logs(4, 4);
    assertThat(reader.runOnce(0, 0)).isEqualTo(Look.LATER);
    assertThat(events.sent).containsExactly("2 line", "3 line", "4 line");
  }

  @Test
  void goesOnWhileTheRunIsSplitAndEndsWithIt() {
    isUnderWay();
    logs(1, 1);
    LogReader reader = reader(0);
    assertThat(reader.runOnce(0, 0)).isEqualTo(Look.LATER);

    hasSplit();
    logs(2, 2);
    assertThat(reader.runOnce(LONG_AFTER, 0)).isEqualTo(Look.LATER);
    assertThat(events.sent).containsExactly("1 line", "2 line");

    database.execute("DELETE FROM jt_batch");
    hasEnded();
    assertThat(reader.runOnce(LONG_AFTER, 0)).isEqualTo(Look.OVER);
    assertThat(events.sent).containsExactly("1 line", "2 line", "2 end", "closed");
  }

  @Test
  void sendsABoundedNumberOfLinesAtOnce() {
    isUnderWay();
    logs(1, LogReader.LINES_AT_ONCE + 1);
    LogReader reader = reader(0);

    assertThat(reader.runOnce(0, 0)).isEqualTo(Look.MORE);
    assertThat(events.sent).hasSize(LogReader.LINES_AT_ONCE);
    assertThat(reader.runOnce(0, 0)).isEqualTo(Look.LATER);
    assertThat(events.sent).hasSize(LogReader.LINES_AT_ONCE + 1);
  }

  @Test
  void waitsForAReaderThatIsSlow() {
    isUnderWay();
    logs(1, 1);
    LogReader reader = reader(0);
    events.ready = false;

    assertThat(reader.runOnce(0, 0)).isEqualTo(Look.LATER);
    assertThat(events.sent).isEmpty();
    events.ready = true;
    assertThat(reader.runOnce(0, 0)).isEqualTo(Look.LATER);
    assertThat(events.sent).containsExactly("1 line");
  }

  @Test
  void endsWhenNoLineOfAnEndedExecutionCanBeOnItsWay() {
    hasEnded();
    logs(1, 1);
    LogReader reader = reader(0);

    assertThat(reader.runOnce(LONG_AFTER - 1, 0)).isEqualTo(Look.LATER);
    assertThat(events.sent).containsExactly("1 line");
    logs(2, 2);
    assertThat(reader.runOnce(LONG_AFTER, 0)).isEqualTo(Look.OVER);
    assertThat(events.sent).containsExactly("1 line", "2 line", "2 end", "closed");
  }

  @Test
  void allLinesOfAnEndedExecutionComeBeforeItsEnd() {
    hasEnded();
    logs(1, LogReader.LINES_AT_ONCE);
    LogReader reader = reader(0);

    assertThat(reader.runOnce(LONG_AFTER, 0)).isEqualTo(Look.MORE);
    assertThat(reader.runOnce(LONG_AFTER, 0)).isEqualTo(Look.OVER);
    assertThat(events.sent)
        .hasSize(LogReader.LINES_AT_ONCE + 2)
        .endsWith(LogReader.LINES_AT_ONCE + " end", "closed");
  }

  @Test
  void endsWhenTheExecutionIsNoLongerKept() {
    assertThat(reader(0).runOnce(0, 0)).isEqualTo(Look.OVER);
    assertThat(events.sent).containsExactly("0 end", "closed");
  }

  @Test
  void saysNowAndThenThatItIsThere() {
    isUnderWay();
    LogReader reader = reader(0);
    long silence = LogReader.SILENCE.toMillis();

    reader.runOnce(0, silence - 1);
    assertThat(events.sent).isEmpty();
    reader.runOnce(0, silence);
    reader.runOnce(0, silence + 1);
    assertThat(events.sent).containsExactly("keep-alive");
    reader.runOnce(0, 2 * silence);
    assertThat(events.sent).containsExactly("keep-alive", "keep-alive");
  }

  @Test
  void sendsAReaderAwayThatStaysTooLong() {
    isUnderWay();

    assertThat(reader(0).runOnce(0, LogReader.LONGEST.toMillis())).isEqualTo(Look.OVER);
    assertThat(events.sent).containsExactly("closed");
  }

  @Test
  void asksNothingForAReaderThatHasLeft() {
    isUnderWay();
    logs(1, 1);
    events.closed.complete(null);

    assertThat(reader(0).runOnce(0, 0)).isEqualTo(Look.OVER);
    assertThat(events.sent).isEmpty();
  }
}
