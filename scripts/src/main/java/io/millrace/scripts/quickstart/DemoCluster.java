package io.millrace.scripts.quickstart;

import io.millrace.console.ConsoleConfig;
import io.millrace.console.TrackerServer;
import io.millrace.console.TrackerServerConfig;
import io.millrace.internal.time.Clock;
import io.millrace.jobclient.JobClient;
import io.millrace.jobtracker.config.JobTrackerConfig;
import io.millrace.jobtracker.store.LedgerStore;
import io.millrace.jobtracker.store.jdbc.connect.StoreConfig;
import io.millrace.scripts.demo.AttemptListener;
import io.millrace.scripts.demo.DemoWorker;
import io.millrace.scripts.output.ConsoleLines;
import io.millrace.tasktracker.TaskTracker;
import io.millrace.tasktracker.TaskTrackerBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A tracker, two workers and a client, connected over loopback. Used by one thread. */
final class DemoCluster implements AutoCloseable {
  private static final int WORKERS = 2;
  private static final int SLOTS = 4;
  private static final Duration GRACE = Duration.ofSeconds(3);

  private final TrackerServer tracker;
  private final JobClient client;
  private final List<TaskTracker> workers = new ArrayList<>();

  private DemoCluster(TrackerServer tracker, JobClient client) {
    this.tracker = tracker;
    this.client = client;
  }

  /**
   * Starts the tracker and the client. Closes both if the tracker fails to start.
   *
   * @param store the tracker's database
   * @param ports the tracker's ports
   */
  static DemoCluster start(StoreConfig store, DemoPorts ports) {
    TrackerServer tracker =
        TrackerServer.create(
            new TrackerServerConfig(JobTrackerConfig.local(ports.rpc(), store))
                .withConsole(ConsoleConfig.onLoopback(ports.console())));
    try {
      tracker.start();
      String address = tracker.address();
      return new DemoCluster(
          tracker, JobClient.builder().trackers(address).clientGroup("quickstart").build());
    } catch (RuntimeException e) {
      tracker.close();
      throw e;
    }
  }

  /**
   * Starts the workers.
   *
   * @param listener receives every attempt of all workers
   */
  void startWorkers(Clock clock, AttemptListener listener) {
    for (int number = 1; number <= WORKERS; number++) {
      TaskTracker worker = worker("worker-" + number, tracker.address(), clock, listener);
      workers.add(worker);
      worker.start();
    }
  }

  private static TaskTracker worker(
      String name, String address, Clock clock, AttemptListener listener) {
    TaskTrackerBuilder builder =
        TaskTracker.builder()
            .trackers(address)
            .nodeGroup(DemoJob.NODE_GROUP)
            .id(name)
            .slots(SLOTS)
            .shutdownGrace(GRACE);
    DemoWorker.addHandlers(builder, name, clock, listener);
    return builder.build();
  }

  JobClient client() {
    return client;
  }

  /** Returns the ledger of ended triggers in the store. */
  LedgerStore ledger() {
    return tracker.tracker().stores().ledger();
  }

  /** Returns lines with the URL of the console and the first token. */
  List<String> describeConsole() {
    return ConsoleLines.of(tracker.consoleUrl(), tracker.firstOperatorToken());
  }

  /** Describes the cluster in one line. */
  String describe() {
    return "tracker on " + tracker.address() + ", " + WORKERS + " workers and a client";
  }

  /** Closes the workers first, so that the tracker still receives their reports. */
  @Override
  public void close() {
    try (tracker;
        client) {
      workers.forEach(TaskTracker::close);
    }
  }
}
