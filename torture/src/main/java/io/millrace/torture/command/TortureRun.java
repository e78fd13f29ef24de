package io.millrace.torture.command;

import io.millrace.internal.lifecycle.NamedThreads;
import io.millrace.internal.time.Clock;
import io.millrace.internal.time.SystemClock;
import io.millrace.jobtracker.domain.schedule.GenerationLimits;
import io.millrace.torture.nemesis.FaultLog;
import io.millrace.torture.nemesis.FaultPlan;
import io.millrace.torture.nemesis.Nemesis;
import io.millrace.torture.nemesis.PlannedFault;
import io.millrace.torture.node.Node;
import io.millrace.torture.oracle.Evidence;
import io.millrace.torture.oracle.Oracle;
import io.millrace.torture.oracle.Verdict;
import io.millrace.torture.process.Cluster;
import io.millrace.torture.process.ClusterSettings;
import io.millrace.torture.process.Deleting;
import io.millrace.torture.process.FirstStart;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One run, from the start of the first process to the verdict. Used once, by one thread. */
final class TortureRun {
  /**
   * How long the tables must stay unchanged after the last fault is healed for the cluster to count
   * as at rest.
   */
  private static final Duration QUIET = Duration.ofSeconds(60);

  /** How long a replay may still be written when no more of them are to be requested. */
  private static final long LAST_REPLAY_MILLIS = 2_000;

  /** The time between two looks at open batches; a copy of a file takes a while. */
  private static final long BATCHES_MILLIS = 3_000;

  private static final long REVIVE_MILLIS = 500;
  private static final int THREADS = 10;

  private final ClusterSettings settings;
  private final boolean calm;
  private final FirstStart firstStart;
  private final Clock clock = new SystemClock();
  private final Instant started = clock.now();
  private final FaultLog log = new FaultLog();
  private final StallWatches watches = new StallWatches(clock, log, this::report);
  private @Nullable Verdict verdict;

  /**
   * @param calm whether the run injects no faults
   * @param wholeStart whether trackers create their tables undisturbed and one after the other
   */
  TortureRun(ClusterSettings settings, boolean calm, boolean wholeStart) {
    this.settings = settings;
    this.calm = calm;
    this.firstStart =
        wholeStart
            ? FirstStart.inTurn()
            : calm
                ? FirstStart.undisturbed()
                : FirstStart.of(settings.load().seed(), settings.trackers());
  }

  /** Runs, prints its actions and findings, and returns whether every promise is kept. */
  boolean run() throws InterruptedException {
    report(headline());
    ScheduledExecutorService threads =
        Executors.newScheduledThreadPool(THREADS, NamedThreads.daemon("torture"));
    watches.startMachine(settings.directory());
    try (Cluster cluster = Cluster.start(settings, firstStart, clock, this::report)) {
      Thread onExit = new Thread(cluster::close, "torture-exit");
      Runtime.getRuntime().addShutdownHook(onExit);
      Verdict found = torture(cluster, threads);
      verdict = found;
      boolean unused = Runtime.getRuntime().removeShutdownHook(onExit);
      found.notes().forEach(note -> System.out.println("  " + note));
      found.sentences().forEach(sentence -> System.out.println("  BROKEN: " + sentence));
      System.out.printf(
          "longest dispatch gap after a tracker's death: %d ms (lease %d ms)%n",
          found.longestGapMillis(), settings.trackerLease().toMillis());
      return found.isClean();
    } finally {
      threads.shutdownNow();
    }
  }

  private String headline() {
    return ("seed %d, %d s, %s, %d trackers, %d workers, %d clients; tracker lease %d ms, worker"
            + " lease %d ms%s")
        .formatted(
            settings.load().seed(),
            settings.load().seconds(),
            settings.database().toString().toLowerCase(Locale.ROOT),
            settings.trackers(),
            settings.workers(),
            settings.clients(),
            settings.trackerLease().toMillis(),
            settings.workerLease().toMillis(),
            settings.plant() == null ? "" : "; planted: " + settings.plant());
  }

  private Verdict torture(Cluster cluster, ScheduledExecutorService threads)
      throws InterruptedException {
    report("the cluster is up");
    Nemesis nemesis = new Nemesis(cluster, threads, clock, log, this::report);
    startRevivers(cluster.processes());
    watches.startDatabases(cluster);
    RunTables tables = RunTables.of(cluster, this::report);
    BatchWatch batches = new BatchWatch(tables.live());
    var unused =
        threads.scheduleWithFixedDelay(
            batches::look, BATCHES_MILLIS, BATCHES_MILLIS, TimeUnit.MILLISECONDS);
    Duration begunAgo = Duration.between(cluster.begin(), clock.now());
    CompletableFuture<Void> mended = nemesis.run(plan(nemesis), begunAgo);
    TimeUnit.MILLISECONDS.sleep(
        Math.max(0, settings.load().seconds() * 1_000L - begunAgo.toMillis()));
    mended.join();
    report("the load is over and all faults are healed; waiting until the cluster is idle");
    batches.end();
    if (!cluster.awaitClients(QUIET)) {
      report("clients are still waiting for answers");
    }
    boolean atRest = awaitQuiet(tables);
    cluster.endReplays();
    TimeUnit.MILLISECONDS.sleep(LAST_REPLAY_MILLIS);
    atRest = atRest && awaitQuiet(tables);
    report(atRest ? "the cluster is idle" : "the cluster does not become idle");
    report(batches.toString());
    return Oracle.check(
        new Evidence(
            tables.atTheEnd(),
            cluster.workload(),
            cluster.runJournals(),
            cluster.submitJournals(),
            cluster.replayJournals(),
            batches.miscounts(),
            log.faults(),
            settings.trackers(),
            settings.trackerLease(),
            settings.workerLease(),
            GenerationLimits.DEFAULT.misfireThreshold()));
  }

  private static boolean awaitQuiet(RunTables tables) {
    return Oracle.awaitQuiet(tables.live(), QUIET, tables.lookEvery());
  }

  private List<PlannedFault> plan(Nemesis nemesis) {
    return calm
        ? List.of()
        : FaultPlan.of(
            settings.load().seed(),
            Duration.ofSeconds(settings.load().seconds()),
            new FaultPlan.Shape(nemesis.parts(), settings.trackerLease(), settings.workerLease()));
  }

  /** Starts one thread per node, because stopping or starting a node blocks its thread. */
  private void startRevivers(List<Node> nodes) {
    ScheduledExecutorService revivers =
        Executors.newScheduledThreadPool(nodes.size(), NamedThreads.daemon("torture-revive"));
    for (Node node : nodes) {
      var unused =
          revivers.scheduleWithFixedDelay(
              () -> revive(node), REVIVE_MILLIS, REVIVE_MILLIS, TimeUnit.MILLISECONDS);
    }
  }

  private void revive(Node node) {
    try {
      if (node.revive()) {
        report(node.name() + " exited by itself; it is started again");
      }
    } catch (RuntimeException e) {
      report(node.name() + " exited by itself, and cannot be started: " + e.getMessage());
    }
  }

  private void report(String words) {
    System.out.printf(
        Locale.ROOT,
        "%8.3f  %s%n",
        Duration.between(started, clock.now()).toMillis() / 1_000.0,
        words);
  }

  /** Returns the line that states the result. */
  String lastLine() {
    Verdict found = verdict;
    return found == null ? "no verdict" : found.lastLine();
  }

  void deleteFiles() throws IOException {
    Files.walkFileTree(settings.directory(), new Deleting());
  }
}
