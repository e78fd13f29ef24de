package io.millrace.console.api.history;

import io.millrace.console.http.EventStream;
import io.millrace.internal.codec.JsonCodec;
import io.millrace.internal.time.TimedExecutor;
import io.millrace.internal.time.Timer;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.failure.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All open log streams. One task serves them in turn, and only while there are any, so that many
 * streams occupy only one database connection. Thread-safe.
 */
final class LogReaders {
  /** The longest delay between storing a line and reading it. */
  static final Duration PERIOD = Duration.ofMillis(500);

  private static final Logger LOG = LoggerFactory.getLogger(LogReaders.class);

  private final Stores stores;
  private final TimedExecutor time;
  private final JsonCodec codec = new JsonCodec();
  private final List<LogReader> readers = new ArrayList<>();
  private boolean underWay;

  LogReaders(Stores stores, TimedExecutor time) {
    this.stores = stores;
    this.time = time;
  }

  /**
   * Starts a log stream.
   *
   * @param lastHad lines with a higher sequence than this are sent
   */
  void add(long executionId, int lastHad, EventStream events) {
    events.keepAlive();
    LogReader reader =
        new LogReader(executionId, lastHad, events, stores, codec, time.monotonicMillis());
    synchronized (readers) {
      readers.add(reader);
      if (underWay) {
        return;
      }
      underWay = true;
    }
    time.execute(this::runOnce);
  }

  /**
   * Serves each stream once, then schedules itself again: at once if any stream has more lines to
   * send.
   */
  void runOnce() {
    boolean more = false;
    for (LogReader reader : current()) {
      LogReader.Look look = look(reader);
      more |= look == LogReader.Look.MORE;
      if (look == LogReader.Look.OVER) {
        synchronized (readers) {
          readers.remove(reader);
        }
      }
    }
    synchronized (readers) {
      if (readers.isEmpty()) {
        underWay = false;
        return;
      }
    }
    if (more) {
      time.execute(this::runOnce);
    } else {
      Timer.Timeout unused = time.schedule(PERIOD, this::runOnce);
    }
  }

  private List<LogReader> current() {
    synchronized (readers) {
      return List.copyOf(readers);
    }
  }

  /**
   * Runs one reader. A store failure may be transient, so the stream stays open and is tried again.
   */
  private LogReader.Look look(LogReader reader) {
    try {
      return reader.runOnce(time.millis(), time.monotonicMillis());
    } catch (StoreException e) {
      LOG.debug("console: a log could not be read", e);
      return LogReader.Look.LATER;
    } catch (RuntimeException e) {
      LOG.warn("console: gave up a reader of a log", e);
      reader.giveUp();
      return LogReader.Look.OVER;
    }
  }
}
