package io.millrace.benchmarks.contender;

import io.millrace.benchmarks.database.MillraceUrl;
import io.millrace.benchmarks.measure.WallClock;
import io.millrace.internal.codec.JsonCodec;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.store.NodeGroupStore.NodeGroup;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.jdbc.JdbcStores;
import io.millrace.jobtracker.store.jdbc.connect.StoreConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The ceiling: moves rows through a tracker's tables with the tracker's own statements and does
 * nothing else. Submitted rows are claimed from memory, claimed rows are completed from memory,
 * each by one thread with its own connection, in batches of all available rows. There are no
 * requests, no lookup of duplicates, no leases, no schedules and no workers.
 */
final class BarePipeline implements Submitter, Workers, Tables {
  private static final int MAX_BATCH = 256;
  private static final int MAX_GROUPS = 10;
  private static final long POLL_MILLIS = 20;
  private static final int TRACKER = 7;

  private final JsonCodec codec = new JsonCodec();
  private final BlockingQueue<WaitingTrigger> waiting = new LinkedBlockingQueue<>();
  private final BlockingQueue<Execution> executing = new LinkedBlockingQueue<>();
  private final List<Thread> movers = new ArrayList<>();
  private final IdSequence ids = new IdSequence(TRACKER, 0);
  private @Nullable JdbcStores opened;
  private @Nullable TableView view;
  private volatile boolean stopped;

  @Override
  public String open(Place place) throws Exception {
    waiting.clear();
    executing.clear();
    JdbcStores stores =
        JdbcStores.open(StoreConfig.of(MillraceUrl.of(place.url()), place.user(), ""));
    opened = stores;
    NodeGroup unused = stores.stores().nodeGroups().ensure(MillraceTables.GROUP, MAX_GROUPS);
    view = TableView.open(place);
    return "";
  }

  @Override
  public void submit(BenchJob job) {
    submitAll(List.of(job));
  }

  @Override
  public void submitAll(List<BenchJob> jobs) {
    long now = WallClock.millis();
    List<WaitingTrigger> rows =
        jobs.stream().map(job -> BareRows.waiting(ids, codec, job, now)).toList();
    stores()
        .transactions()
        .run("submit", () -> stores().waiting().insert(MillraceTables.GROUP, rows));
    waiting.addAll(rows);
  }

  @Override
  public void startWorkers() {
    stopped = false;
    movers.add(start("bare-claim", () -> move(waiting, this::claim)));
    movers.add(start("bare-complete", () -> move(executing, this::complete)));
  }

  private static Thread start(String name, Runnable body) {
    Thread thread = new Thread(body, name);
    thread.setDaemon(true);
    thread.start();
    return thread;
  }

  /** Moves the elements of a queue, all available ones at once. */
  private <T> void move(BlockingQueue<T> from, java.util.function.Consumer<List<T>> mover) {
    try {
      while (!stopped) {
        T first = from.poll(POLL_MILLIS, TimeUnit.MILLISECONDS);
        if (first != null) {
          List<T> batch = new ArrayList<>(List.of(first));
          int unused = from.drainTo(batch, MAX_BATCH - 1);
          mover.accept(batch);
        }
      }
    } catch (InterruptedException asked) {
      Thread.currentThread().interrupt();
    }
  }

  private void claim(List<WaitingTrigger> rows) {
    long micros = WallClock.micros();
    Runs.current().began(micros);
    long now = TimeUnit.MICROSECONDS.toMillis(micros);
    List<Execution> executions = rows.stream().map(row -> BareRows.claimed(ids, row, now)).toList();
    stores()
        .transactions()
        .run(
            "claim",
            () -> {
              requireAll(
                  rows.size(),
                  stores()
                      .waiting()
                      .delete(
                          MillraceTables.GROUP, rows.stream().map(WaitingTrigger::id).toList()));
              stores().executing().insert(executions);
            });
    executing.addAll(executions);
  }

  private void complete(List<Execution> executions) {
    long now = WallClock.millis();
    stores()
        .transactions()
        .run(
            "complete",
            () -> {
              requireAll(
                  executions.size(),
                  stores().executing().delete(executions.stream().map(Execution::id).toList()));
              stores()
                  .ledger()
                  .append(executions.stream().map(one -> BareRows.ended(one, now)).toList());
            });
    executions.forEach(one -> Runs.ran(BareRows.payload(codec, one)));
  }

  private static void requireAll(int asked, int deleted) {
    if (asked != deleted) {
      throw new IllegalStateException("of " + asked + " rows " + deleted + " were deleted");
    }
  }

  @Override
  public void stopWorkers() throws InterruptedException {
    stopped = true;
    for (Thread mover : movers) {
      mover.join();
    }
    movers.clear();
  }

  @Override
  public long unfinished(long dueBefore) throws Exception {
    return MillraceTables.unfinished(view(), 1, dueBefore);
  }

  @Override
  public long finished() throws Exception {
    return MillraceTables.finished(view());
  }

  @Override
  public TableView view() {
    return Objects.requireNonNull(view, "is not open");
  }

  private Stores stores() {
    return Objects.requireNonNull(opened, "is not open").stores();
  }

  @Override
  public void close() throws Exception {
    stopWorkers();
    if (view != null) {
      view.close();
    }
    if (opened != null) {
      opened.close();
    }
    view = null;
    opened = null;
  }
}
