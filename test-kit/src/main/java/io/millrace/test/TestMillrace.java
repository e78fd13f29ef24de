package io.millrace.test;

import io.millrace.api.Explanation;
import io.millrace.api.NodeResources;
import io.millrace.api.Outcome;
import io.millrace.internal.model.Assignment;
import io.millrace.internal.protocol.ExecutionResult;
import io.millrace.jobclient.JobClient;
import io.millrace.jobclient.JobClientBuilder;
import io.millrace.tasktracker.TaskTracker;
import io.millrace.tasktracker.TaskTrackerBuilder;
import io.millrace.test.internal.MemoryCluster;
import io.millrace.test.internal.OpenParts;
import io.millrace.test.internal.Passage;
import io.millrace.test.internal.RunHistory;
import io.millrace.test.internal.TestClock;
import io.millrace.test.internal.Timeline;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A tracker for one test, with workers and clients in the same process and a clock that only the
 * test moves. The tracker is the real one, over a database in memory; jobs, retries, clock changes
 * and policies behave as in production.
 *
 * <pre>{@code
 * @MillraceTest
 * class ReportTest {
 *   @Test
 *   void runsEachNight(TestMillrace millrace) {
 *     millrace.worker("reports", worker -> worker.handler("nightly", new NightlyReport()));
 *     millrace.client().submit(
 *         Job.builder("reports", "nightly").handler("nightly").cron("0 30 2 * * ?", NEW_YORK).build());
 *
 *     millrace.advance(Duration.ofDays(7));
 *
 *     millrace.runs("reports", "nightly").hasRun(7).hasSucceeded(7);
 *   }
 * }
 * }</pre>
 *
 * <p>Nothing runs by itself. A call of the client returns when its consequences at this instant are
 * complete, and leaves what is due for {@link #runDue}, {@link #advance} and {@link #advanceTo}.
 * These move the clock from one planned instant to the next and call each handler in the thread of
 * the test, one after another, in the order in which workers received the jobs. The clock stands
 * still while a handler runs, unless the handler calls {@link #work}.
 *
 * <p>Listeners of a client run on a thread of their own; time passes only when they have returned.
 * Any thread may use the clients; one thread at a time may move the clock.
 */
public final class TestMillrace implements AutoCloseable {
  /** What the clock shows at the start unless the test says otherwise: a Monday. */
  public static final Instant DEFAULT_START = Instant.parse("2026-01-05T08:00:00Z");

  private static final String CLIENT_GROUP = "test";

  private final MemoryCluster cluster;
  private final RunHistory history;
  private final Instant start;
  private final ZoneId zone;
  private final int mostRuns;
  private final boolean unknownHandlersAllowed;
  private final OpenParts opened = new OpenParts();
  private @Nullable JobClient client;
  private int clients;
  private int workers;
  private volatile @Nullable Thread handling;

  TestMillrace(TestMillraceBuilder builder) {
    this.start = builder.start;
    this.zone = builder.zone;
    this.mostRuns = builder.mostRuns;
    this.unknownHandlersAllowed = builder.unknownHandlersAllowed;
    this.cluster = new MemoryCluster(start, zone);
    this.opened.add(cluster);
    this.history = new RunHistory(cluster.stores(), cluster.wire());
  }

  /** Starts a tracker at {@link #DEFAULT_START}, in UTC. Close it after the test. */
  public static TestMillrace create() {
    return builder().build();
  }

  /** Returns a builder for a tracker with other settings. */
  public static TestMillraceBuilder builder() {
    return new TestMillraceBuilder();
  }

  /** Returns what the clock shows, in the zone of this tracker. */
  public ZonedDateTime now() {
    return now(zone);
  }

  /** Returns what the clock shows, in a zone. */
  public ZonedDateTime now(ZoneId inZone) {
    return cluster.now().atZone(inZone);
  }

  /** Returns the clock, for code under test that asks for the time. */
  public Clock clock() {
    return new TestClock(cluster::now, zone);
  }

  /** Returns a client of the client group {@code test}, the same for the whole test. */
  public synchronized JobClient client() {
    JobClient known = client;
    if (known == null) {
      known = client(CLIENT_GROUP);
      client = known;
    }
    return known;
  }

  /** Returns a new client of a client group, which is closed with this object. */
  public synchronized JobClient client(String clientGroup) {
    String id = "client-" + ++clients;
    JobClientBuilder builder =
        JobClient.builder()
            .trackers(address())
            .clientGroup(clientGroup)
            .id(id)
            .resources(clientResources(clientGroup, id));
    JobClient built = cluster.conductor().call(builder::build);
    opened.add(built);
    return built;
  }

  /**
   * Starts a worker of a node group, which is closed with this object. Use this method between two
   * moves of the clock.
   *
   * @param configure adds the handlers, and anything else except tracker, id, node group and
   *     resources
   */
  public synchronized TaskTracker worker(String nodeGroup, Consumer<TaskTrackerBuilder> configure) {
    String id = "worker-" + ++workers;
    TaskTrackerBuilder builder =
        TaskTracker.builder()
            .trackers(address())
            .id(id)
            .nodeGroup(nodeGroup)
            .resources(workerResources(nodeGroup, id));
    configure.accept(builder);
    TaskTracker worker = cluster.conductor().call(() -> started(builder));
    opened.add(worker);
    return worker;
  }

  private static TaskTracker started(TaskTrackerBuilder builder) {
    TaskTracker worker = builder.build();
    worker.start();
    return worker;
  }

  /** Returns the address of the tracker, for {@code trackers(…)} of a builder. */
  public String address() {
    return MemoryCluster.ADDRESS;
  }

  /**
   * Returns resources for a client that the application builds itself. Set the same group and id
   * with {@code clientGroup(…)} and {@code id(…)}.
   */
  public NodeResources clientResources(String clientGroup, String id) {
    return cluster.clientResources(clientGroup, id);
  }

  /**
   * Returns resources for a worker that the application builds itself. Set the same node group and
   * id with {@code nodeGroup(…)} and {@code id(…)}.
   */
  public NodeResources workerResources(String nodeGroup, String id) {
    return cluster.workerResources(nodeGroup, id);
  }

  /** Runs what is due now, and what becomes due by that. The clock does not move. */
  public void runDue() {
    advance(Duration.ZERO);
  }

  /**
   * Lets time pass and runs what falls due, each at its instant.
   *
   * @throws IllegalArgumentException if the duration is negative
   * @throws IllegalStateException see {@link #advanceTo(Instant)}
   */
  public void advance(Duration duration) {
    advanceTo(cluster.now().plus(duration));
  }

  /** Lets time pass up to this time of a zone; see {@link #advanceTo(Instant)}. */
  public void advanceTo(ZonedDateTime time) {
    advanceTo(time.toInstant());
  }

  /**
   * Lets time pass up to this instant, including it, and runs what falls due, each at its instant.
   *
   * @throws IllegalArgumentException if the instant is before {@link #now}, or more than 800 days
   *     after the start
   * @throws IllegalStateException if a handler calls this; if a job names a handler that its worker
   *     does not have; if there is too much to run; if the thread is interrupted. The clock then
   *     stands where this happened
   * @throws AssertionError if an assertion failed in a handler
   */
  public void advanceTo(Instant instant) {
    checkTarget(instant);
    if (handling != null) {
      throw new IllegalStateException(
          "a handler is running: it lets time pass with work(duration), and nobody else moves the"
              + " clock meanwhile");
    }
    cluster.admitNewcomers();
    Passage passage = cluster.passage(instant.toEpochMilli(), false);
    int runs = 0;
    do {
      if (runs > mostRuns) {
        throw new IllegalStateException(tooMany(instant));
      }
      cluster.conductor().settle(passage);
      checkUnusual();
      if (Thread.currentThread().isInterrupted()) {
        throw new IllegalStateException("interrupted at " + now() + " on the way to " + instant);
      }
      runs++;
    } while (runHandler() || !passage.isOver());
  }

  private void checkTarget(Instant instant) {
    Instant now = cluster.now();
    if (instant.isBefore(now)) {
      throw new IllegalArgumentException(
          "the clock shows %s, which is after %s: it only moves forward".formatted(now, instant));
    }
    if (instant.isAfter(start.plus(MemoryCluster.LONGEST_TEST))) {
      throw new IllegalArgumentException(
          "%s is more than %d days after the start, %s: start later, with startAt(…)"
              .formatted(instant, MemoryCluster.LONGEST_TEST.toDays(), start));
    }
  }

  private String tooMany(Instant instant) {
    return ("handlers have been called %d times, and the clock shows %s on the way to %s: move it in"
            + " smaller steps, let the job fire less often in the test, or allow more with"
            + " mostRuns(…)")
        .formatted(mostRuns, now(), instant);
  }

  /** Returns false if no handler waits. */
  private boolean runHandler() {
    Runnable handler = cluster.conductor().takeHandler();
    if (handler == null) {
      return false;
    }
    handling = Thread.currentThread();
    try {
      handler.run();
    } finally {
      handling = null;
    }
    return true;
  }

  private void checkUnusual() {
    for (ExecutionResult result = cluster.wire().takeUnusual();
        result != null;
        result = cluster.wire().takeUnusual()) {
      Assignment assignment =
          Objects.requireNonNull(cluster.wire().given(result.executionId())).assignment();
      String attempt =
          "attempt %d of %s/%s"
              .formatted(assignment.attempt(), assignment.nodeGroup(), assignment.taskId());
      if (result.outcome() != Outcome.UNKNOWN_HANDLER) {
        throw new AssertionError("an assertion failed in " + attempt + ": " + result.message());
      }
      if (!unknownHandlersAllowed) {
        throw new IllegalStateException(
            attempt + ": " + result.message() + "; a test may expect it: allowUnknownHandlers()");
      }
    }
  }

  /**
   * Lets time pass in a handler, as if its work took that long. Leases and time-outs go on, and
   * triggers fall due; handlers that are due meanwhile run when this one has ended.
   *
   * @throws InterruptedException at the instant in which the attempt is interrupted, for example by
   *     its time-out
   * @throws IllegalStateException if the calling thread does not run a handler
   */
  public void work(Duration duration) throws InterruptedException {
    if (handling != Thread.currentThread()) {
      throw new IllegalStateException(
          "work is for handlers, in the thread that runs them; a test calls advance");
    }
    Instant end = cluster.now().plus(duration);
    checkTarget(end);
    cluster.conductor().settle(cluster.passage(end.toEpochMilli(), true));
    if (Thread.interrupted()) {
      throw new InterruptedException("interrupted at " + now());
    }
  }

  /**
   * Returns what a job has done up to now.
   *
   * @throws AssertionError if no job of this group and task id was submitted
   */
  public JobRuns runs(String nodeGroup, String taskId) {
    cluster.conductor().settle(null);
    List<JobRun> runs = history.runsOf(nodeGroup, taskId);
    String job = nodeGroup + "/" + taskId;
    if (runs.isEmpty()) {
      checkKnown(job, nodeGroup, taskId);
    }
    return new JobRuns(job, runs, () -> story(runs, nodeGroup, taskId));
  }

  private void checkKnown(String job, String nodeGroup, String taskId) {
    Explanation explanation = client().explain(nodeGroup, taskId);
    if (!explanation.isFound()) {
      Set<String> others = history.groupsWith(taskId);
      throw new AssertionError(
          "no job "
              + job
              + " was submitted"
              + (others.isEmpty() ? "" : "; node groups with a job of this task id: " + others)
              + (explanation.similarTaskIds().isEmpty()
                  ? ""
                  : "; similar task ids of the node group: " + explanation.similarTaskIds()));
    }
  }

  private String story(List<JobRun> runs, String nodeGroup, String taskId) {
    Set<String> served = new TreeSet<>(cluster.wire().servedGroups());
    return "\nThe clock shows "
        + now()
        + ". Its runs:"
        + Timeline.of(runs)
        + "\nThe tracker says:"
        + Timeline.of(client().explain(nodeGroup, taskId))
        + (served.contains(nodeGroup)
            ? ""
            : "\nThe test has no worker for " + nodeGroup + ", only for " + served);
  }

  /**
   * Closes the clients and workers that this object has made, and the tracker: all of them, even if
   * some fail. Idempotent.
   */
  @Override
  public synchronized void close() {
    opened.close();
  }
}
