package io.millrace.console.api.history;

import io.millrace.common.codec.Codec;
import io.millrace.common.protocol.LogLine;
import io.millrace.console.http.EventStream;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.store.Stores;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Somebody who follows the log of an execution. Confined to one thread at a time. */
final class LogReader {
  /** Lines that one look sends: with the longest lines, some megabytes. */
  static final int LINES_AT_ONCE = 200;

  /** Lines may arrive after the end of their execution: a worker sends them beside its report. */
  static final Duration STRAGGLERS = Duration.ofSeconds(3);

  /** Well within the time after which what lies between takes a connection for dead. */
  static final Duration SILENCE = Duration.ofSeconds(15);

  /** A reader that stays longer comes back by itself, and shows its token again. */
  static final Duration LONGEST = Duration.ofMinutes(30);

  private final long executionId;
  private final EventStream events;
  private final Stores stores;
  private final Codec codec;
  private final long since;
  private int lastSent;
  private long lastHeard;

  /**
   * @param lastHad the sequence above which lines are sent
   * @param now milliseconds on a line that never goes back
   */
  LogReader(
      long executionId, int lastHad, EventStream events, Stores stores, Codec codec, long now) {
    this.executionId = executionId;
    this.lastSent = lastHad;
    this.events = events;
    this.stores = stores;
    this.codec = codec;
    this.since = now;
    this.lastHeard = now;
  }

  /** How an execution ended, as the last event says it. */
  record LogEnd(String status) {}

  /** What a look has come to. */
  enum Look {
    /** There is more to send at once. */
    MORE,
    /** There is no more now. */
    LATER,
    /** Nobody reads, or there will be no more. */
    OVER
  }

  /**
   * Sends what there is. The end is looked for before the lines are read, so that none that was
   * stored before it is missed.
   *
   * @param wallClock epoch milliseconds
   * @param now milliseconds on a line that never goes back
   */
  Look runOnce(long wallClock, long now) {
    if (events.closed().toCompletableFuture().isDone()) {
      return Look.OVER;
    }
    if (now - since >= LONGEST.toMillis()) {
      events.end();
      return Look.OVER;
    }
    if (!events.isReady()) {
      return Look.LATER;
    }
    Optional<String> end = end(wallClock);
    List<LogLine> lines = stores.jobLog().read(executionId, lastSent, LINES_AT_ONCE);
    lines.forEach(this::send);
    if (!lines.isEmpty()) {
      lastHeard = now;
    }
    if (lines.size() == LINES_AT_ONCE) {
      return Look.MORE;
    }
    if (end.isPresent()) {
      events.send(String.valueOf(lastSent), "end", codec.encodeText(new LogEnd(end.get())));
      events.end();
      return Look.OVER;
    }
    if (now - lastHeard >= SILENCE.toMillis()) {
      events.keepAlive();
      lastHeard = now;
    }
    return Look.LATER;
  }

  /** Ends the stream; the reader may come back for the rest. */
  void giveUp() {
    events.end();
  }

  private void send(LogLine line) {
    events.send(String.valueOf(line.sequence()), "line", codec.encodeText(LogRow.of(line)));
    lastSent = line.sequence();
  }

  /** How the execution ended, once no more of its lines are on their way. */
  private Optional<String> end(long wallClock) {
    if (!stores.executing().find(List.of(executionId)).isEmpty()) {
      return Optional.empty();
    }
    List<LedgerEntry> ended = stores.ledger().find(List.of(executionId));
    if (ended.isEmpty()) {
      return Optional.of("PURGED");
    }
    LedgerEntry row = ended.get(0);
    return wallClock - row.finishedAt() < STRAGGLERS.toMillis()
        ? Optional.empty()
        : Optional.of(row.status().name());
  }
}
