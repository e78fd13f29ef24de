package io.millrace.console.api.history;

import io.millrace.console.api.JobFinder;
import io.millrace.console.api.history.LogRoutes.LogItem;
import io.millrace.console.http.EventStream;
import io.millrace.internal.codec.JsonCodec;
import io.millrace.internal.protocol.LogLine;
import io.millrace.jobtracker.domain.outcome.LedgerEntry;
import io.millrace.jobtracker.store.Stores;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Streams the log of one execution to one client. Confined to one thread at a time. */
final class LogReader {
  /** The most lines that one run sends; at the longest line length, some megabytes. */
  static final int LINES_AT_ONCE = 200;

  /**
   * How long to wait for lines after the end of the execution. A worker sends lines independently
   * of its report, so they may arrive later.
   */
  static final Duration STRAGGLERS = Duration.ofSeconds(3);

  /** The interval of keep-alives, shorter than the idle timeout of intermediaries. */
  static final Duration SILENCE = Duration.ofSeconds(15);

  /**
   * The longest duration of a stream. A client that wants more reconnects, and is authenticated
   * again.
   */
  static final Duration LONGEST = Duration.ofMinutes(30);

  private final long executionId;
  private final EventStream events;
  private final Stores stores;
  private final JobFinder finder;
  private final JsonCodec codec;
  private final long since;
  private int lastSent;
  private long lastReceived;

  /**
   * @param lastHad lines with a higher sequence than this are sent
   * @param now monotonic milliseconds
   */
  LogReader(
      long executionId, int lastHad, EventStream events, Stores stores, JsonCodec codec, long now) {
    this.executionId = executionId;
    this.lastSent = lastHad;
    this.events = events;
    this.stores = stores;
    this.finder = new JobFinder(stores);
    this.codec = codec;
    this.since = now;
    this.lastReceived = now;
  }

  /** The data of the last event: how the execution ended. */
  record LogEnd(String status) {}

  /** The result of a run. */
  enum Look {
    /** More lines can be sent at once. */
    MORE,
    /** No more lines can be sent now. */
    LATER,
    /** The stream has ended: the client left, or no more lines follow. */
    OVER
  }

  /**
   * Sends the lines available now. Reads the end of the execution before the lines, so that no line
   * stored before the end is missed.
   *
   * @param wallClock epoch milliseconds
   * @param now monotonic milliseconds
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
      lastReceived = now;
    }
    if (lines.size() == LINES_AT_ONCE) {
      return Look.MORE;
    }
    if (end.isPresent()) {
      events.send(String.valueOf(lastSent), "end", codec.encodeText(new LogEnd(end.get())));
      events.end();
      return Look.OVER;
    }
    if (now - lastReceived >= SILENCE.toMillis()) {
      events.keepAlive();
      lastReceived = now;
    }
    return Look.LATER;
  }

  /** Ends the stream; the client may reconnect for the rest. */
  void giveUp() {
    events.end();
  }

  private void send(LogLine line) {
    events.send(String.valueOf(line.sequence()), "line", codec.encodeText(LogItem.of(line)));
    lastSent = line.sequence();
  }

  /** How the execution ended; empty while more of its lines may arrive. */
  private Optional<String> end(long wallClock) {
    if (finder.underWay(executionId).isPresent()) {
      return Optional.empty();
    }
    List<LedgerEntry> ended = stores.ledger().find(List.of(executionId));
    if (ended.isEmpty()) {
      return Optional.of("PURGED");
    }
    LedgerEntry row = ended.get(0);
    return wallClock - row.times().finishedAt() < STRAGGLERS.toMillis()
        ? Optional.empty()
        : Optional.of(row.status().name());
  }
}
