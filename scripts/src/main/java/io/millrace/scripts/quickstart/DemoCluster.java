package io.millrace.scripts.quickstart;

import io.millrace.common.time.Clock;
import io.millrace.console.ConsoleConfig;
import io.millrace.console.TrackerServer;
import io.millrace.console.TrackerServerConfig;
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

/** A tracker, two workers and a client, which talk over loopback. Used by one thread. */
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
   * Starts the tracker and the client. Nothing is left of them if the tracker cannot be started.
   *
   * @param store its database
   * @param ports of the tracker
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
   * @param listener told of every attempt of any of them
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

  /** What became of every trigger, as the store has it. */
  LedgerStore ledger() {
    return tracker.tracker().stores().ledger();
  }

  /** Where to look at it and how to be let in, in lines. */
  List<String> describeConsole() {
    return ConsoleLines.of(tracker.consoleUrl(), tracker.firstOperatorToken());
  }

  /** The cluster in a line. */
  String describe() {
    return "tracker on " + tracker.address() + ", " + WORKERS + " workers and a client";
  }

  /** Workers first, while the tracker still takes what they have to report. */
  @Override
  public void close() {
    try (tracker;
        client) {
      workers.forEach(TaskTracker::close);
    }
  }
}
