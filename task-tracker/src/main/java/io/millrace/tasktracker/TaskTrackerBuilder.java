package io.millrace.tasktracker;

import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.common.model.NodeGroupName;
import io.millrace.common.model.NodeRole;
import io.millrace.common.outbox.Outbox;
import io.millrace.common.outbox.OutboxConfig;
import io.millrace.common.rpc.ConnectionLimits;
import io.millrace.common.rpc.HostPort;
import io.millrace.common.rpc.RpcConnectorConfig;
import io.millrace.common.rpc.TlsTrust;
import io.millrace.common.rpc.Token;
import io.millrace.common.time.Clock;
import io.millrace.common.time.SystemClock;
import io.millrace.tasktracker.execute.ExecuteConfig;
import io.millrace.tasktracker.execute.Runners;
import io.millrace.tasktracker.joblog.JobLogConfig;
import io.millrace.tasktracker.metrics.WorkerMeasures;
import io.millrace.tasktracker.metrics.WorkerMeters;
import io.millrace.tasktracker.pull.PullConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Describes a {@link TaskTracker}. Not thread-safe. */
public final class TaskTrackerBuilder {
  /** The second that a tracker parks a pull at most, and a margin. */
  private static final Duration GIVE_UP_AFTER = Duration.ofSeconds(6);

  private static final Duration RETRY_DELAY = Duration.ofSeconds(1);
  private static final Duration LOG_LINGER = Duration.ofMillis(100);
  private static final Duration FLUSH_TIME = Duration.ofSeconds(5);

  private final Map<String, JobRunner> handlers = new LinkedHashMap<>();
  private List<String> trackers = List.of();
  private @Nullable Token token;
  private @Nullable TlsTrust tls;
  private String nodeGroup = "";
  private @Nullable String id;
  private @Nullable OutboxConfig outbox;
  private int slots = 64;
  private int prefetch = 256;
  private @Nullable JobRunner runner;
  private Duration pullInterval = Duration.ofSeconds(1);
  private Duration shutdownGrace = Duration.ofSeconds(30);
  private Duration interruptGrace = Duration.ofSeconds(5);
  private int maxStuckBodies = 16;
  private BodyThreads bodyThreads = BodyThreads.AUTO;
  private boolean interruptWhenLost = true;
  private int maxUnacknowledgedResults = 10_000;
  private int maxLogLines = 20_000;
  private long maxLogBytes = 32L << 20;
  private @Nullable MeterRegistry meterRegistry;
  private @Nullable WorkerResources resources;

  TaskTrackerBuilder() {}

  /** Addresses of trackers, as host:port. One that answers is enough: it names the others. */
  public TaskTrackerBuilder trackers(String... addresses) {
    this.trackers = List.of(addresses);
    return this;
  }

  /**
   * The token of workers, which trackers that ask for one must know; null for none.
   *
   * @throws IllegalArgumentException if it is too short to be a secret
   */
  public TaskTrackerBuilder token(@Nullable String token) {
    this.token = token == null ? null : Token.of(token);
    return this;
  }

  /** Encrypts, and believes these authorities. Without it, connections are not encrypted. */
  public TaskTrackerBuilder tls(TlsTrust tls) {
    this.tls = Objects.requireNonNull(tls, "tls");
    return this;
  }

  /**
   * The group of workers this one belongs to; it runs the jobs submitted to that group.
   *
   * @param nodeGroup 1 to 64 letters, digits, dots, underscores and hyphens, the first a letter or
   *     digit
   * @throws IllegalArgumentException if it is none that a job could name
   */
  public TaskTrackerBuilder nodeGroup(String nodeGroup) {
    this.nodeGroup = NodeGroupName.require(Objects.requireNonNull(nodeGroup, "nodeGroup"));
    return this;
  }

  /**
   * Identity towards trackers, which no other worker may have at the same time; the same worker may
   * have it again after a restart. By default random, or that of the {@link #outbox}.
   */
  public TaskTrackerBuilder id(String id) {
    this.id = Objects.requireNonNull(id, "id");
    return this;
  }

  /**
   * Keeps results that reach no tracker in this directory, which is this worker's alone, until they
   * do, over restarts and crashes, for a day at most. Without it they are kept in memory.
   *
   * <p>What is lost when the process is killed: results that no tracker had acknowledged and that
   * were reported in the last 20 ms.
   */
  public TaskTrackerBuilder outbox(Path directory) {
    return outbox(OutboxConfig.of(directory));
  }

  /** The same with bounds of one's own. At its bounds the worker asks for no more work. */
  public TaskTrackerBuilder outbox(OutboxConfig config) {
    this.outbox = Objects.requireNonNull(config, "config");
    return this;
  }

  /** How many jobs run at once. 64 by default. */
  public TaskTrackerBuilder slots(int slots) {
    this.slots = slots;
    return this;
  }

  /**
   * How many jobs the worker may hold that wait for a slot; 256 by default, 0 for none. It holds
   * only as many as its slots end within 50 ms, so that slots whose jobs are over at once need not
   * wait for the next answer of the tracker, and jobs that take longer are left to other workers. A
   * job that has waited for half a second all the same goes back, and it does not count as an
   * attempt. If the process dies, what waited here counts as begun, like all that it holds: for
   * jobs of {@code retry(0)}, which are then not run again, take 0.
   */
  public TaskTrackerBuilder prefetch(int jobs) {
    this.prefetch = jobs;
    return this;
  }

  /** Runs every job that names no handler. */
  public TaskTrackerBuilder runner(JobRunner runner) {
    this.runner = Objects.requireNonNull(runner, "runner");
    return this;
  }

  /**
   * Runs the jobs that name this handler; also those that name none, if it stays the only runner.
   *
   * @throws IllegalArgumentException if the name is empty or has a runner already
   */
  public TaskTrackerBuilder handler(String name, JobRunner runner) {
    Objects.requireNonNull(runner, "runner");
    if (name.isBlank()) {
      throw new IllegalArgumentException("the name of a handler must not be empty");
    }
    if (handlers.putIfAbsent(name, runner) != null) {
      throw new IllegalArgumentException("handler " + name + " has a runner already");
    }
    return this;
  }

  /**
   * Time between two pulls when nothing else causes one; the beat of the worker. 1 s by default, 5
   * s at most.
   */
  public TaskTrackerBuilder pullInterval(Duration interval) {
    this.pullInterval = Objects.requireNonNull(interval, "interval");
    return this;
  }

  /** How long bodies may go on after a close before they are interrupted. 30 s by default. */
  public TaskTrackerBuilder shutdownGrace(Duration grace) {
    this.shutdownGrace = Objects.requireNonNull(grace, "grace");
    return this;
  }

  /**
   * How long a body may take to give way to an interrupt, of a time-out, of a terminate or of a
   * close. 5 s by default. After that its attempt ends without it: the result is sent, and the body
   * counts as stuck.
   */
  public TaskTrackerBuilder interruptGrace(Duration grace) {
    this.interruptGrace = Objects.requireNonNull(grace, "grace");
    return this;
  }

  /**
   * How many stuck bodies keep a thread without keeping a slot; 16 by default. A slot beyond that
   * number stays taken until a stuck body has ended.
   */
  public TaskTrackerBuilder maxStuckBodies(int bodies) {
    this.maxStuckBodies = bodies;
    return this;
  }

  /**
   * What bodies run on. {@link BodyThreads#AUTO} by default: virtual threads on a JVM of 24 or
   * later, platform threads before. Bodies that compute for long belong on platform threads. Means
   * nothing with {@link #resources}, which bring their own.
   */
  public TaskTrackerBuilder bodyThreads(BodyThreads threads) {
    this.bodyThreads = Objects.requireNonNull(threads, "threads");
    return this;
  }

  /**
   * Whether a body is interrupted when this worker's lease of its execution is lost; it is by
   * default. Otherwise the body is told by {@link JobContext#isLost} only.
   */
  public TaskTrackerBuilder interruptWhenLost(boolean interrupt) {
    this.interruptWhenLost = interrupt;
    return this;
  }

  /**
   * How many results may wait for the tracker's acknowledgement before no new work is asked for.
   * 10,000 by default.
   */
  public TaskTrackerBuilder maxUnacknowledgedResults(int results) {
    this.maxUnacknowledgedResults = results;
    return this;
  }

  /** Lines of job logs kept until the tracker has them; 20,000 by default. */
  public TaskTrackerBuilder maxLogLines(int lines) {
    this.maxLogLines = lines;
    return this;
  }

  /** Memory those lines may take, estimated, in bytes; 32 MiB by default. */
  public TaskTrackerBuilder maxLogBytes(long bytes) {
    this.maxLogBytes = bytes;
    return this;
  }

  /**
   * Where the worker counts what it does, until it is closed; docs/monitoring.md names the meters. It
   * counts nothing unless this is set, and then needs no Micrometer on the class path. Of several
   * workers of one node group in one registry the gauges show the first.
   */
  public TaskTrackerBuilder meterRegistry(MeterRegistry registry) {
    this.meterRegistry = Objects.requireNonNull(registry, "registry");
    return this;
  }

  /** What the worker runs on, for those who drive it by hand. By default it makes its own. */
  public TaskTrackerBuilder resources(WorkerResources resources) {
    this.resources = Objects.requireNonNull(resources, "resources");
    return this;
  }

  /**
   * Makes the worker, not yet started, and opens its outbox, which closing the worker closes.
   *
   * @throws IllegalArgumentException if a value is missing or out of bounds, or the outbox is that
   *     of another worker; says which
   * @throws io.millrace.common.outbox.OutboxInUseException if another process has the outbox
   * @throws io.millrace.common.outbox.OutboxException if the outbox cannot be written
   */
  public TaskTracker build() {
    OutboxConfig kept = outbox;
    if (kept == null) {
      WorkerIdentity identity =
          id == null ? WorkerIdentity.random() : WorkerIdentity.given(id, clock());
      return build(identity, null);
    }
    check(id == null ? WorkerIdentity.random() : new WorkerIdentity(id, 0));
    Outbox opened = Outbox.open(kept, clock());
    try {
      return build(WorkerIdentity.kept(opened, id, nodeGroup, clock()), opened);
    } catch (RuntimeException failure) {
      opened.close();
      throw failure;
    }
  }

  private Clock clock() {
    return resources == null ? new SystemClock() : resources.clock();
  }

  private TaskTracker build(WorkerIdentity identity, @Nullable Outbox opened) {
    TaskTrackerConfig config = check(identity);
    WorkerMeasures measures =
        meterRegistry == null
            ? WorkerMeasures.NONE
            : new WorkerMeters(meterRegistry, nodeGroup, clock());
    return new TaskTracker(config, runners(measures), resources, opened, measures);
  }

  private Runners runners(WorkerMeasures measures) {
    Map<String, JobRunner> measured = new LinkedHashMap<>();
    handlers.forEach((name, body) -> measured.put(name, measures.around(name, body)));
    return new Runners(runner == null ? null : measures.around(null, runner), measured);
  }

  /** The configuration, if all of it is good. */
  private TaskTrackerConfig check(WorkerIdentity identity) {
    if (nodeGroup.isBlank()) {
      throw new IllegalArgumentException("nodeGroup is not given");
    }
    if (resources == null) {
      trackers.forEach(HostPort::parse);
    }
    return new TaskTrackerConfig(
        trackers,
        new RpcConnectorConfig(
            NodeRole.WORKER, identity.id(), nodeGroup, token, tls, ConnectionLimits.OF_CALLER),
        new PullConfig(
            slots,
            prefetch,
            pullInterval,
            GIVE_UP_AFTER,
            RETRY_DELAY,
            maxUnacknowledgedResults,
            identity.process()),
        new ExecuteConfig(interruptGrace, maxStuckBodies, interruptWhenLost),
        bodyThreads,
        new JobLogConfig(maxLogLines, maxLogBytes, LOG_LINGER, RETRY_DELAY),
        new StopConfig(shutdownGrace, interruptGrace, FLUSH_TIME));
  }
}
