package io.millrace.scripts.quickstart;

import io.millrace.api.SubmitResult;
import io.millrace.internal.time.Clock;
import io.millrace.jobtracker.store.jdbc.connect.StoreConfig;
import io.millrace.scripts.CommandFailedException;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;

/** Runs the demo cluster and its jobs. Used by one thread. */
public final class Quickstart {
  /** The time limit for the jobs; with start and close, the total stays below a minute. */
  private static final Duration LIMIT = Duration.ofSeconds(45);

  private static final Duration LOOK_AGAIN = Duration.ofMillis(200);
  private static final Duration UNTIL_ASKED = Duration.ofHours(1);

  private final Clock clock;
  private final PrintWriter out;
  private final Pause pause;

  /**
   * @param pause how to wait; the quickstart ends when it reports a request to end the process
   */
  public Quickstart(Clock clock, PrintWriter out, Pause pause) {
    this.clock = clock;
    this.out = out;
    this.pause = pause;
  }

  /** Runs and shows the jobs until the process is asked to end. */
  public void run(StoreConfig store, DemoPorts ports) throws InterruptedException {
    try (DemoCluster cluster = start(store, ports)) {
      LedgerCheck unused = submitJobs(cluster);
      boolean asked = false;
      while (!asked) {
        asked = pause.await(UNTIL_ASKED);
      }
      out.println("stopping " + cluster.describe());
    }
  }

  /**
   * Runs and shows the jobs until the required ones have completed in the store.
   *
   * @throws CommandFailedException if they do not complete in time; the message lists what is
   *     missing
   */
  public void runOnce(StoreConfig store, DemoPorts ports) throws InterruptedException {
    long begin = clock.nanoTime();
    try (DemoCluster cluster = start(store, ports)) {
      LedgerCheck check = submitJobs(cluster);
      List<String> missing = check.missing(cluster.ledger());
      while (!missing.isEmpty()) {
        if (pause.await(LOOK_AGAIN)) {
          throw new CommandFailedException("was stopped before: " + join(missing));
        }
        if (clock.nanoTime() - begin > LIMIT.toNanos()) {
          throw new CommandFailedException(
              "after " + LIMIT.toSeconds() + " s, still missing: " + join(missing));
        }
        missing = check.missing(cluster.ledger());
      }
      out.println("one-shot, cron and repeat have run and are completed in the store");
    }
  }

  private DemoCluster start(StoreConfig store, DemoPorts ports) {
    DemoCluster cluster = DemoCluster.start(store, ports);
    out.println("started " + cluster.describe() + "; store in " + store.printableUrl());
    cluster.describeConsole().forEach(out::println);
    return cluster;
  }

  /** Starts the workers, submits the jobs, and returns the check of the required jobs. */
  private LedgerCheck submitJobs(DemoCluster cluster) {
    List<DemoJob> jobs = DemoJob.all(clock.now());
    LedgerCheck check = new LedgerCheck(jobs);
    AttemptTable table = new AttemptTable(out, ZoneId.systemDefault(), jobs);
    table.printHeader();
    cluster.client().onResult(result -> table.printFeedback(result, "client"));
    cluster.startWorkers(
        clock,
        attempt -> {
          check.ended(attempt);
          table.ended(attempt);
        });
    requireStored(cluster.client().submitAll(jobs.stream().map(DemoJob::job).toList()));
    return check;
  }

  private static void requireStored(List<SubmitResult> results) {
    List<String> refused =
        results.stream().filter(result -> !result.isStored()).map(SubmitResult::toString).toList();
    if (!refused.isEmpty()) {
      throw new CommandFailedException("the tracker did not accept " + join(refused));
    }
  }

  private static String join(List<String> parts) {
    return String.join("; ", parts);
  }
}
