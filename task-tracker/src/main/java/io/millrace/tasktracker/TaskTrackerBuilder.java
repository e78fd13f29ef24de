package io.millrace.tasktracker;

import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.api.NodeResources;
import io.millrace.api.OutboxConfig;
import io.millrace.api.TlsTrust;
import io.millrace.api.ValueMapper;
import io.millrace.internal.model.NodeGroupName;
import io.millrace.internal.model.NodeRole;
import io.millrace.internal.outbox.Outbox;
import io.millrace.internal.rpc.ConnectionLimits;
import io.millrace.internal.rpc.HostPort;
import io.millrace.internal.rpc.RpcConnectorConfig;
import io.millrace.internal.rpc.Token;
import io.millrace.internal.time.Clock;
import io.millrace.internal.time.SystemClock;
import io.millrace.tasktracker.internal.execute.ExecuteConfig;
import io.millrace.tasktracker.internal.execute.Runners;
import io.millrace.tasktracker.internal.joblog.JobLogConfig;
import io.millrace.tasktracker.internal.metrics.WorkerMeasures;
import io.millrace.tasktracker.internal.metrics.WorkerMeters;
import io.millrace.tasktracker.internal.pull.PullConfig;
import io.millrace.tasktracker.internal.resources.WorkerResources;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Configures and builds a {@link TaskTracker}. Not thread-safe. */
public final class TaskTrackerBuilder {
  /**
   * How long an answer to a pull is awaited: the longest time that a tracker parks a pull, 1 s, and
   * a margin.
   */
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
  private List<String> labels = List.of();
  private int slots = 64;
  private int prefetch = 256;
  private @Nullable JobRunner runner;
  private ValueMapper values = ValueMapper.standard();
  private Duration pullInterval = Duration.ofSeconds(1);
  private Duration shutdownGrace = Duration.ofSeconds(30);
  private Duration interruptGrace = Duration.ofSeconds(5);
  private int maxStuckInvocations = 16;
  private RunnerThreads runnerThreads = RunnerThreads.AUTO;
  private boolean interruptWhenLost = true;
  private int maxUnacknowledgedResults = 10_000;
  private int maxLogLines = 20_000;
  private long maxLogBytes = 32L << 20;
  private @Nullable MeterRegistry meterRegistry;
  private @Nullable WorkerResources resources;

  TaskTrackerBuilder() {}

  /**
   * Sets the addresses of trackers, as host:port. One that answers is enough, because it reports
   * the others. At least one address is required.
   */
  public TaskTrackerBuilder trackers(String... addresses) {
    this.trackers = List.of(addresses);
    return this;
  }

  /**
   * Sets the token of workers, which must be known to trackers that require a token. Null, the
   * default, means no token.
   *
   * @throws IllegalArgumentException if the token is too short to be a secret
   */
  public TaskTrackerBuilder token(@Nullable String token) {
    this.token = token == null ? null : Token.of(token);
    return this;
  }

  /**
   * Encrypts connections and sets which certificates to trust. By default connections are not
   * encrypted.
   */
  public TaskTrackerBuilder tls(TlsTrust tls) {
    this.tls = Objects.requireNonNull(tls, "tls");
    return this;
  }

  /**
   * Sets the node group of this worker. The worker executes the jobs that are submitted to this
   * group. Required.
   *
   * @param nodeGroup 1 to 64 letters, digits, dots, underscores and hyphens; the first character is
   *     a letter or digit
   * @throws IllegalArgumentException if the name is not valid for a node group
   */
  public TaskTrackerBuilder nodeGroup(String nodeGroup) {
    this.nodeGroup = NodeGroupName.require(Objects.requireNonNull(nodeGroup, "nodeGroup"));
    return this;
  }

  /**
   * Sets the identity of this worker towards trackers. No other worker may have it at the same
   * time; the same worker may use it again after a restart. By default the identity is random, or
   * the one in the {@link #outbox}.
   */
  public TaskTrackerBuilder id(String id) {
    this.id = Objects.requireNonNull(id, "id");
    return this;
  }

  /**
   * Sets the directory of the outbox, which keeps results until a tracker acknowledges them, over
   * restarts and crashes, for at most a day. Each worker needs a directory of its own. Without an
   * outbox, results are kept in memory.
   *
   * <p>If the process is killed, it loses the results of the last 20 ms that no tracker had
   * acknowledged.
   */
  public TaskTrackerBuilder outbox(Path directory) {
    return outbox(OutboxConfig.of(directory));
  }

  /**
   * Sets the outbox with its bounds; see {@link #outbox(Path)}. While the outbox is full, the
   * worker pulls no more jobs.
   */
  public TaskTrackerBuilder outbox(OutboxConfig config) {
    this.outbox = Objects.requireNonNull(config, "config");
    return this;
  }

  /**
   * Sets what this worker has that others of its node group may not have, such as {@code gpu}: jobs
   * may require it with {@code Job.builder(…).on("gpu")}. Default: no labels. At most 16, each of 1
   * to 64 letters, digits and {@code - _ . : / =}.
   */
  public TaskTrackerBuilder labels(String... labels) {
    this.labels = List.of(labels);
    return this;
  }

  /** Sets how many jobs run at once. Default: 64. Range: 1 to 10,000. */
  public TaskTrackerBuilder slots(int slots) {
    this.slots = slots;
    return this;
  }

  /**
   * Sets how many jobs the worker may hold that wait for a slot. Default: 256. Range: 0 to 10,000;
   * 0 means none. The worker prefetches only as many jobs as its slots complete within 50 ms: slots
   * with short jobs then need not wait for the next answer of the tracker, and longer jobs are left
   * to other workers. The worker gives back a job that has waited for half a second; this does not
   * count as an attempt.
   *
   * <p>If the process dies, every job that it holds counts as begun, including the jobs that wait
   * for a slot. Jobs with {@code retry(0)} are then not run again; set 0 for such jobs.
   */
  public TaskTrackerBuilder prefetch(int jobs) {
    this.prefetch = jobs;
    return this;
  }

  /** Sets the runner of every job that names no handler. */
  public TaskTrackerBuilder runner(JobRunner runner) {
    this.runner = Objects.requireNonNull(runner, "runner");
    return this;
  }

  /**
   * Adds the runner of the jobs that name this handler. If it is the only runner, it also runs the
   * jobs that name none.
   *
   * @throws IllegalArgumentException if the name is empty or has a runner already
   */
  public TaskTrackerBuilder handler(String name, JobRunner runner) {
    Objects.requireNonNull(runner, "runner");
    if (name.isBlank()) {
      throw new IllegalArgumentException("the name of a handler must not be empty");
    }
    if (handlers.putIfAbsent(name, runner) != null) {
      throw new IllegalArgumentException("there is already a runner for handler " + name);
    }
    return this;
  }

  /**
   * Sets the time between two pulls if no other event causes one. Pulls renew the leases of this
   * worker. Default: 1 s. At most 5 s; longer than 0.
   */
  public TaskTrackerBuilder pullInterval(Duration interval) {
    this.pullInterval = Objects.requireNonNull(interval, "interval");
    return this;
  }

  /**
   * Sets how long invocations may continue after a close before they are interrupted. Default: 30
   * s. May be 0.
   */
  public TaskTrackerBuilder shutdownGrace(Duration grace) {
    this.shutdownGrace = Objects.requireNonNull(grace, "grace");
    return this;
  }

  /**
   * Sets how long an invocation may take to end after an interrupt. This applies to the interrupt
   * of a time-out, a terminate, a close, or a lease that a tracker reports as lost. Default: 5 s.
   * May be 0. After this time the attempt ends without the invocation: the result is sent, and the
   * invocation counts as stuck.
   */
  public TaskTrackerBuilder interruptGrace(Duration grace) {
    this.interruptGrace = Objects.requireNonNull(grace, "grace");
    return this;
  }

  /**
   * Sets how many stuck invocations may keep a thread without keeping a slot. Default: 16. Range: 0
   * to 10,000. Beyond this number a stuck invocation also keeps its slot until a stuck invocation
   * has ended.
   */
  public TaskTrackerBuilder maxStuckInvocations(int invocations) {
    this.maxStuckInvocations = invocations;
    return this;
  }

  /**
   * Sets the threads that run invocations. Default: {@link RunnerThreads#AUTO}, which means virtual
   * threads on Java 24 or later, and platform threads before. Run invocations that compute for long
   * on platform threads. Has no effect with {@link #resources}, which provide their own threads.
   */
  public TaskTrackerBuilder runnerThreads(RunnerThreads threads) {
    this.runnerThreads = Objects.requireNonNull(threads, "threads");
    return this;
  }

  /**
   * Sets whether an invocation is interrupted when this worker loses the lease of its execution.
   * Default: true. If false, only {@link JobContext#isLost} and {@link JobContext#isStopRequested}
   * notify the invocation.
   */
  public TaskTrackerBuilder interruptWhenLost(boolean interrupt) {
    this.interruptWhenLost = interrupt;
    return this;
  }

  /**
   * Sets the mapper that reads typed parameters and writes typed results. Default: {@link
   * ValueMapper#standard}.
   */
  public TaskTrackerBuilder values(ValueMapper mapper) {
    this.values = Objects.requireNonNull(mapper, "mapper");
    return this;
  }

  /**
   * Sets how many results may wait for the acknowledgement of a tracker. While more of them wait,
   * the worker pulls no new jobs. Default: 10,000. Range: 1 to 30,000.
   */
  public TaskTrackerBuilder maxUnacknowledgedResults(int results) {
    this.maxUnacknowledgedResults = results;
    return this;
  }

  /**
   * Sets how many lines of job logs are kept in memory until the tracker has stored them. Further
   * lines are dropped. Default: 20,000; at least 1.
   */
  public TaskTrackerBuilder maxLogLines(int lines) {
    this.maxLogLines = lines;
    return this;
  }

  /**
   * Sets the estimated memory that these log lines may take, in bytes. Default: 32 MiB; at least 1.
   */
  public TaskTrackerBuilder maxLogBytes(long bytes) {
    this.maxLogBytes = bytes;
    return this;
  }

  /**
   * Sets the registry of the worker's meters; docs/monitoring.md lists them. The worker removes its
   * gauges when it is closed. By default the worker measures nothing and needs no Micrometer on the
   * class path. If several workers of one node group use one registry, the gauges show the first
   * worker.
   */
  public TaskTrackerBuilder meterRegistry(MeterRegistry registry) {
    this.meterRegistry = Objects.requireNonNull(registry, "registry");
    return this;
  }

  /**
   * Sets the clock, timer, threads and network of the worker, for programs that drive it by hand.
   * The worker does not close them. By default it creates its own.
   *
   * @throws IllegalArgumentException if these are not the resources of a worker
   */
  public TaskTrackerBuilder resources(NodeResources resources) {
    if (!(Objects.requireNonNull(resources, "resources") instanceof WorkerResources ofWorker)) {
      throw new IllegalArgumentException("these are not the resources of a worker: " + resources);
    }
    this.resources = ofWorker;
    return this;
  }

  /**
   * Builds the worker without starting it, and opens its outbox. Closing the worker closes the
   * outbox.
   *
   * @throws IllegalArgumentException if a value is missing or out of bounds, or if the outbox
   *     belongs to another worker; the message says which
   * @throws io.millrace.internal.outbox.OutboxInUseException if another process uses the outbox
   * @throws io.millrace.api.OutboxException if the outbox cannot be written
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
    return new TaskTracker(config, new Runners<>(runner, handlers), resources, opened, measures);
  }

  /** Returns the configuration if it is valid. */
  private TaskTrackerConfig check(WorkerIdentity identity) {
    if (nodeGroup.isBlank()) {
      throw new IllegalArgumentException("nodeGroup is missing");
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
            identity.process(),
            labels),
        new ExecuteConfig(interruptGrace, maxStuckInvocations, interruptWhenLost),
        runnerThreads,
        new JobLogConfig(maxLogLines, maxLogBytes, LOG_LINGER, RETRY_DELAY),
        new StopConfig(shutdownGrace, interruptGrace, FLUSH_TIME),
        values);
  }
}
