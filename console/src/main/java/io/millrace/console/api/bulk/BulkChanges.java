package io.millrace.console.api.bulk;

import io.millrace.console.access.ChangeRecord;
import io.millrace.console.api.OperatorRequests;
import io.millrace.console.http.Problem.Kind;
import io.millrace.internal.time.Pace;
import io.millrace.internal.time.RepeatedTimer;
import io.millrace.internal.time.TimedExecutor;
import io.millrace.jobtracker.TrackerOperations;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.store.console.BulkChangeStore;
import io.millrace.jobtracker.store.console.BulkChangeStore.BulkChange;
import io.millrace.jobtracker.store.console.BulkChangeStore.End;
import io.millrace.jobtracker.store.console.BulkChangeStore.Request;
import io.millrace.jobtracker.store.console.BulkChangeStore.State;
import io.millrace.jobtracker.store.console.ConsoleStores;
import io.millrace.jobtracker.store.failure.StoreException;
import java.time.Duration;
import java.util.SplittableRandom;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The bulk changes of the operators: stores what is requested, and makes it. A page waits for the
 * tracker's answers on one of the tracker's threads, of which a tracker with a console has several;
 * between pages, others have their turn. Start once, close once. Thread-safe.
 */
public final class BulkChanges implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(BulkChanges.class);

  /** The most bulk changes that are under way at the same time. */
  static final int MOST = 20;

  /** How often to look for bulk changes that another tracker left. */
  private static final Duration PERIOD = Duration.ofSeconds(5);

  private final BulkChangeStore store;
  private final IdSequence ids;
  private final TimedExecutor time;
  private final BulkRunner runner;
  private final RepeatedTimer timer;
  private volatile boolean isClosing;

  public BulkChanges(TrackerOperations tracker, ChangeRecord audit) {
    ConsoleStores console = tracker.stores().console();
    this.store = console.bulkChanges();
    this.ids = tracker.ids();
    this.time = tracker.time();
    this.runner =
        new BulkRunner(
            store,
            console.operators(),
            new BulkTargets(tracker.stores(), new OperatorRequests(tracker), audit, time.clock())
                ::of,
            time.clock(),
            ids.next(time.millis()));
    this.timer =
        new RepeatedTimer(
            "bulk changes",
            time.timer(),
            time.executor(),
            time.clock(),
            Pace.exactly(PERIOD),
            new SplittableRandom(),
            now -> {
              makePages();
              return null;
            });
  }

  /** Begins to make them. */
  public void start() {
    timer.start();
  }

  private void makePages() {
    if (!isClosing && runner.runOnce()) {
      timer.wake();
    }
  }

  /** Stores a bulk change, which begins at once; throws a problem if too many are under way. */
  BulkChange add(Request request) {
    if (store.listActive(Long.MAX_VALUE, MOST).size() == MOST) {
      throw Kind.CONFLICT.because(
          MOST + " bulk changes are under way; stop one of them, or wait for its end");
    }
    long id = ids.next(request.at());
    store.add(id, request);
    timer.wake();
    return find(id);
  }

  /** Stops a bulk change after the page that it is at; harmless if it has ended. */
  BulkChange stop(long id, String operator) {
    BulkChange unused = find(id);
    End end = new End(State.STOPPED, time.millis(), operator);
    boolean unusedEnd = store.end(id, end);
    return find(id);
  }

  /** Returns a bulk change; throws a problem if there is none of this id. */
  BulkChange find(long id) {
    return store.find(id).orElseThrow(() -> Kind.NOT_FOUND.because(absent(id)));
  }

  static String absent(long id) {
    return "there is no bulk change " + id;
  }

  BulkChangeStore store() {
    return store;
  }

  /** Ends after the pages under way. What has not ended goes on at another tracker. */
  @Override
  public void close() {
    isClosing = true;
    Void unused = timer.destroy().join();
    try {
      runner.release();
    } catch (StoreException e) {
      LOG.warn("bulk changes: others go on with them after {}", BulkRunner.LEASE, e);
    }
  }
}
