package io.millrace.jobtracker.store.jdbc.h2;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.failure.StoreUnavailableException;
import io.millrace.jobtracker.store.jdbc.JdbcStores;
import io.millrace.jobtracker.store.jdbc.NotedDisk;
import io.millrace.jobtracker.store.jdbc.connect.StoreConfig;
import io.millrace.jobtracker.store.jdbc.connect.StoreConnections;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** H2 shows a commit to others before it is in the file: nobody may be told of it before it is. */
class ReadsAwaitTheFileTest {
  @TempDir Path directory;

  private final NotedDisk disk = NotedDisk.mount();
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void end() {
    disk.releaseWrites();
    threads.shutdownNow();
  }

  @Test
  void answerFromWhatWasOnlyReadWaitsUntilThatIsInTheFile() throws Exception {
    try (JdbcStores live = JdbcStores.open(StoreConfig.of(disk.url(directory.resolve("db"))))) {
      disk.holdWrites();
      CompletableFuture<?> writer =
          CompletableFuture.runAsync(() -> acquire(live.stores(), "seen"), threads);
      disk.awaitHeldWrite();

      CountDownLatch hasRead = new CountDownLatch(1);
      AtomicReference<Thread> reading = new AtomicReference<>(Thread.currentThread());
      CompletableFuture<Boolean> reader =
          CompletableFuture.supplyAsync(
              () -> {
                reading.set(Thread.currentThread());
                return live.stores()
                    .transactions()
                    .inTransaction(
                        "look",
                        () -> {
                          boolean seen = isThere(live.stores(), "seen");
                          hasRead.countDown();
                          return seen;
                        });
              },
              threads);
      hasRead.await();
      while (!reader.isDone() && reading.get().getState() != Thread.State.WAITING) {
        Thread.onSpinWait();
      }

      assertThat(reader).isNotDone();
      assertThat(writer).isNotDone();

      disk.releaseWrites();
      assertThat(reader.get(30, SECONDS)).isTrue();
      writer.get(30, SECONDS);
    }
  }

  @Test
  void whatWasReadIsNotReliedOnWhenTheFileHasBeenClosed() {
    try (JdbcStores live = JdbcStores.open(StoreConfig.of(disk.url(directory.resolve("db"))))) {
      assertThatThrownBy(
              () ->
                  live.stores()
                      .transactions()
                      .run(
                          "look",
                          () -> {
                            boolean unused = isThere(live.stores(), "seen");
                            shutDown();
                          }))
          .isInstanceOf(StoreUnavailableException.class);
    }
  }

  @Test
  void databaseInMemoryHasNoFileToWaitFor() throws SQLException {
    try (Connection connection =
        StoreConnections.ofStores(StoreConfig.of("jdbc:h2:mem:")).getConnection()) {
      Optional<H2File> file = H2File.of(connection);

      assertThat(file).isEmpty();
    }
  }

  private void shutDown() {
    try (Connection connection =
            StoreConnections.ofStores(StoreConfig.of(disk.url(directory.resolve("db"))))
                .getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("SHUTDOWN IMMEDIATELY");
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void acquire(Stores stores, String trackerId) {
    Object unused = stores.trackers().acquire(trackerId, "here:1", 0, 1);
  }

  private static boolean isThere(Stores stores, String trackerId) {
    return stores.liveTrackers().at(0).stream()
        .anyMatch(tracker -> tracker.trackerId().equals(trackerId));
  }
}
