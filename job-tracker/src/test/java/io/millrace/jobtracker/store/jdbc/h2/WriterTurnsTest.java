package io.millrace.jobtracker.store.jdbc.h2;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.TrackerStore.Tracker;
import io.millrace.jobtracker.store.jdbc.JdbcStores;
import io.millrace.jobtracker.store.jdbc.connect.StoreConfig;
import io.millrace.jobtracker.store.jdbc.sql.WriterLock;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class WriterTurnsTest {
  private static final long PATIENCE_SECONDS = 30;

  @TempDir Path directory;

  private final WriterTurns turns = new WriterTurns();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<String> order = new CopyOnWriteArrayList<>();

  @AfterEach
  void end() {
    threads.shutdownNow();
  }

  /** Completes when the writer has had its turn; returns when it waits for it. */
  private CompletableFuture<Void> write(String name, WriterLock lock) {
    Thread[] writer = new Thread[1];
    CountDownLatch begun = new CountDownLatch(1);
    CompletableFuture<Void> done =
        CompletableFuture.runAsync(
            () -> {
              writer[0] = Thread.currentThread();
              begun.countDown();
              lock.lock();
              try {
                order.add(name);
              } finally {
                lock.unlock();
              }
            },
            threads);
    awaitWait(begun, writer, "lock");
    return done;
  }

  /** Until the thread waits within this method. */
  private static void awaitWait(CountDownLatch begun, Thread[] thread, String method) {
    await(begun);
    while (!isWaiting(thread[0], method)) {
      Thread.onSpinWait();
    }
  }

  private static boolean isWaiting(Thread thread, String method) {
    boolean waits =
        thread.getState() == Thread.State.WAITING
            || thread.getState() == Thread.State.TIMED_WAITING;
    return waits
        && Arrays.stream(thread.getStackTrace())
            .anyMatch(frame -> frame.getMethodName().equals(method));
  }

  @Test
  void writersTakeTurnsAsTheyComeAndAnUrgentOneIsNext() throws Exception {
    turns.usual().lock();
    List<CompletableFuture<Void>> writers = new ArrayList<>();
    for (int i = 1; i <= 4; i++) {
      writers.add(write("usual " + i, turns.usual()));
    }
    writers.add(write("urgent", turns.urgent()));
    turns.usual().unlock();

    for (CompletableFuture<Void> writer : writers) {
      writer.get(PATIENCE_SECONDS, SECONDS);
    }
    assertThat(order).containsExactly("urgent", "usual 1", "usual 2", "usual 3", "usual 4");
  }

  @Test
  void writerMayTakeItsTurnAgainAndEndsItWithTheLast() throws Exception {
    turns.urgent().lock();
    turns.usual().lock();
    assertThat(turns.usual().tryLock(Duration.ofMillis(1))).isTrue();
    turns.usual().unlock();
    turns.usual().unlock();
    assertThat(turns.isMine()).isTrue();
    CompletableFuture<Void> other = write("other", turns.usual());
    assertThat(order).isEmpty();

    turns.urgent().unlock();

    other.get(PATIENCE_SECONDS, SECONDS);
    assertThat(turns.isMine()).isFalse();
  }

  /** As an urgent transaction inside the turn of a usual writer. */
  @Test
  void queueMovesOnHoweverTheLastTurnWasTaken() throws Exception {
    turns.usual().lock();
    turns.urgent().lock();
    turns.usual().unlock();
    turns.urgent().unlock();

    CompletableFuture.runAsync(
            () -> {
              turns.usual().lock();
              turns.usual().unlock();
            },
            threads)
        .get(PATIENCE_SECONDS, SECONDS);
  }

  @Test
  void writerThatGivesUpKeepsNoOtherFromItsTurn() throws Exception {
    turns.urgent().lock();
    boolean tookTurn =
        CompletableFuture.supplyAsync(
                () -> {
                  try {
                    return turns.usual().tryLock(Duration.ofMillis(1));
                  } catch (InterruptedException e) {
                    throw new AssertionError(e);
                  }
                },
                threads)
            .get(PATIENCE_SECONDS, SECONDS);
    assertThat(tookTurn).isFalse();
    turns.urgent().unlock();

    turns.usual().lock();
    assertThat(turns.isMine()).isTrue();
    turns.usual().unlock();
  }

  /** The writers that wait here hold a connection each, and so would a tracker's threads. */
  @Test
  void leaseIsRenewedBeforeTheWorkThatWaitsIsWritten() throws Exception {
    long leased = 1_000;
    long renewed = 2_000;
    String url = "jdbc:h2:file:" + directory.resolve("db");
    try (JdbcStores opened = JdbcStores.open(StoreConfig.of(url))) {
      Stores stores = opened.stores();
      Tracker tracker = stores.trackers().acquire("tracker", "here:1", 0, leased);
      CountDownLatch mayEnd = new CountDownLatch(1);
      CountDownLatch writing = new CountDownLatch(1);
      List<Long> leaseSeenByWork = new CopyOnWriteArrayList<>();
      List<CompletableFuture<Void>> writers = new ArrayList<>();
      writers.add(
          CompletableFuture.runAsync(
              () ->
                  stores
                      .transactions()
                      .run(
                          "first",
                          () -> {
                            announce(stores, tracker);
                            writing.countDown();
                            await(mayEnd);
                          }),
              threads));
      await(writing);
      for (int i = 1; i <= 4; i++) {
        writers.add(work(stores, tracker, leaseSeenByWork));
      }
      writers.add(renew(stores, tracker, renewed));
      mayEnd.countDown();

      for (CompletableFuture<Void> writer : writers) {
        writer.get(PATIENCE_SECONDS, SECONDS);
      }
      assertThat(leaseSeenByWork).hasSize(4).containsOnly(renewed);
    }
  }

  /** Writes, and then notes the lease that it sees: one at a time writes. */
  private CompletableFuture<Void> work(Stores stores, Tracker tracker, List<Long> leaseSeen) {
    return waiting(
        () ->
            stores
                .transactions()
                .run(
                    "work",
                    () -> {
                      announce(stores, tracker);
                      leaseSeen.add(stores.trackers().list(-1, 1).get(0).leaseUntil());
                    }));
  }

  private CompletableFuture<Void> renew(Stores stores, Tracker tracker, long leaseUntil) {
    return waiting(
        () ->
            assertThat(stores.trackers().renew(tracker.number(), tracker.trackerId(), leaseUntil))
                .isTrue());
  }

  private static void announce(Stores stores, Tracker tracker) {
    stores.trackers().announce(tracker.number(), tracker.trackerId(), "here:2");
  }

  private CompletableFuture<Void> waiting(Runnable work) {
    Thread[] thread = new Thread[1];
    CountDownLatch begun = new CountDownLatch(1);
    CompletableFuture<Void> done =
        CompletableFuture.runAsync(
            () -> {
              thread[0] = Thread.currentThread();
              begun.countDown();
              work.run();
            },
            threads);
    awaitWait(begun, thread, "awaitTurnToWrite");
    return done;
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(PATIENCE_SECONDS, SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
