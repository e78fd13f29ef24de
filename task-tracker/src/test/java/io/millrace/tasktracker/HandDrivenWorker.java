package io.millrace.tasktracker;

import io.millrace.api.OutboxConfig;
import io.millrace.api.ValueMapper;
import io.millrace.internal.model.Assignment;
import io.millrace.internal.model.NodeRole;
import io.millrace.internal.outbox.Outbox;
import io.millrace.internal.protocol.ExecutionResult;
import io.millrace.internal.protocol.PullReply;
import io.millrace.internal.rpc.RequestHandler;
import io.millrace.internal.rpc.RpcConnector;
import io.millrace.internal.rpc.RpcConnectorConfig;
import io.millrace.internal.rpc.Session;
import io.millrace.internal.time.Clock;
import io.millrace.internal.time.ManualClock;
import io.millrace.internal.time.ManualTimer;
import io.millrace.tasktracker.internal.execute.ExecuteConfig;
import io.millrace.tasktracker.internal.execute.Runners;
import io.millrace.tasktracker.internal.joblog.JobLogConfig;
import io.millrace.tasktracker.internal.metrics.WorkerMeasures;
import io.millrace.tasktracker.internal.pull.PullConfig;
import io.millrace.tasktracker.internal.resources.WorkerResources;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * A worker in the test's own thread, on a clock that the test turns, against a {@link
 * ScriptedTracker}. Invocations wait in a queue until the test runs them, unless it hands in an
 * executor.
 */
final class HandDrivenWorker {
  static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
  static final String GROUP = "orders";

  final ManualClock clock = new ManualClock(START);
  final ManualTimer timer = new ManualTimer(clock);
  final ScriptedTracker tracker = new ScriptedTracker();
  final Queue<Runnable> invocations = new ArrayDeque<>();
  final WorkerNode node;
  private final Queue<AssertionError> failedAssertions = new ConcurrentLinkedQueue<>();

  /**
   * Runs tasks at once, one at a time. A test whose invocations have threads of their own completes
   * answers in it: then a request is wholly sent before its answer is there.
   */
  final Executor loop;

  /** Null unless it was asked for. */
  final Outbox outbox;

  private HandDrivenWorker(Setup setup) {
    loop = setup.loop;
    long process = 0;
    if (setup.outbox == null) {
      outbox = null;
    } else {
      outbox = Outbox.open(setup.outbox, clock);
      process = WorkerIdentity.kept(outbox, "worker-1", GROUP, clock).process();
    }
    TaskTrackerConfig config = setup.config(process);
    Executor invocationExecutor = setup.jobs == null ? invocations::add : setup.jobs;
    WorkerResources parts =
        new WorkerResources(
            clock, timer, setup.loop, invocationExecutor, new NoConnector(), setup.disk);
    WorkerMeasures measures = setup.measures.apply(clock);
    Map<String, JobRunner> handlers = new HashMap<>(setup.handlers);
    handlers.replaceAll((name, runner) -> noting(runner));
    Runners<JobRunner> runners =
        new Runners<>(setup.runner == null ? null : noting(setup.runner), handlers);
    node = new WorkerNode(config, runners, tracker, parts, outbox, measures, () -> {});
    node.open();
  }

  private static Executor oneAtATime() {
    Object turn = new Object();
    return task -> {
      synchronized (turn) {
        task.run();
      }
    };
  }

  static Setup with(JobRunner runner) {
    return new Setup(runner);
  }

  /** A connected worker of so many slots whose jobs succeed. */
  static HandDrivenWorker connected(int slots) {
    return with(context -> Result.success()).slots(slots).connect();
  }

  static Assignment execution(long executionId) {
    return execution(executionId, null);
  }

  static Assignment execution(long executionId, String handler) {
    return execution(executionId, handler, null);
  }

  private static Assignment execution(long executionId, String handler, Duration timeout) {
    return execution(executionId, handler, timeout, null, null);
  }

  /** A part that a handler has made. */
  static Assignment part(long executionId, String handler, int number) {
    return execution(executionId, handler, null, number, null);
  }

  /** The attempt that may read the results of the parts of its run. */
  static Assignment reduce(long executionId) {
    return execution(executionId, null, null, null, true);
  }

  private static Assignment execution(
      long executionId, String handler, Duration timeout, Integer part, Boolean reduces) {
    return new Assignment(
        executionId,
        GROUP,
        "task-" + executionId,
        START,
        0,
        START.plusMillis(5),
        2,
        4,
        handler,
        Map.of("key", "value-" + executionId),
        timeout,
        null,
        null,
        null,
        part,
        reduces);
  }

  static Assignment withTimeout(long executionId, Duration timeout) {
    return execution(executionId, null, timeout);
  }

  static Assignment[] executions(long first, int count) {
    Assignment[] assignments = new Assignment[count];
    Arrays.setAll(assignments, i -> execution(first + i));
    return assignments;
  }

  /** To the worker, an assertion that fails in a job is the failure of an attempt. */
  private JobRunner noting(JobRunner runner) {
    return context -> {
      try {
        return runner.run(context);
      } catch (AssertionError e) {
        failedAssertions.add(e);
        throw e;
      }
    };
  }

  /** Runs the invocation that waits longest. An assertion that fails in it fails the test. */
  void runOneInvocation() {
    invocations.remove().run();
    AssertionError failed = failedAssertions.poll();
    if (failed != null) {
      throw failed;
    }
  }

  void runInvocations() {
    while (!invocations.isEmpty()) {
      runOneInvocation();
    }
  }

  void advance(Duration duration) {
    timer.advance(duration);
  }

  /** Answers the newest pull with nothing. */
  void answerEmpty() {
    tracker.answer(tracker.lastPull().number(), PullReply.of(List.of(), List.of()));
  }

  List<ExecutionResult> results() {
    return tracker.results;
  }

  ExecutionResult resultOf(long executionId) {
    return results().stream()
        .filter(result -> result.executionId() == executionId)
        .findFirst()
        .orElseThrow(() -> new AssertionError("no result of execution " + executionId));
  }

  /** What a test may choose. */
  static final class Setup {
    private final JobRunner runner;
    private Map<String, JobRunner> handlers = Map.of();
    private Executor jobs;
    private Executor loop = oneAtATime();
    private Executor disk = Runnable::run;
    private OutboxConfig outbox;
    private int slots = 4;
    private ValueMapper values = ValueMapper.standard();
    private int prefetch;
    private int maxUnacknowledged = 100;
    private int maxLogLines = 100;
    private long maxLogBytes = 1 << 20;
    private ExecuteConfig execute = new ExecuteConfig(Duration.ofSeconds(5), 2, true);
    private Function<Clock, WorkerMeasures> measures = clock -> WorkerMeasures.NONE;
    private StopConfig stop =
        new StopConfig(Duration.ofSeconds(30), Duration.ofSeconds(5), Duration.ofSeconds(5));

    private Setup(JobRunner runner) {
      this.runner = runner;
    }

    Setup slots(int count) {
      slots = count;
      return this;
    }

    Setup prefetch(int most) {
      prefetch = most;
      return this;
    }

    Setup handlers(Map<String, JobRunner> byName) {
      handlers = byName;
      return this;
    }

    Setup jobs(Executor executor) {
      jobs = executor;
      return this;
    }

    Setup loop(Executor executor) {
      loop = executor;
      return this;
    }

    Setup outbox(OutboxConfig config) {
      outbox = config;
      return this;
    }

    Setup disk(Executor executor) {
      disk = executor;
      return this;
    }

    Setup maxUnacknowledged(int count) {
      maxUnacknowledged = count;
      return this;
    }

    Setup logBounds(int lines, long bytes) {
      maxLogLines = lines;
      maxLogBytes = bytes;
      return this;
    }

    Setup execute(ExecuteConfig config) {
      execute = config;
      return this;
    }

    Setup measures(Function<Clock, WorkerMeasures> factory) {
      measures = factory;
      return this;
    }

    Setup values(ValueMapper mapper) {
      values = mapper;
      return this;
    }

    Setup stop(StopConfig config) {
      stop = config;
      return this;
    }

    HandDrivenWorker build() {
      return new HandDrivenWorker(this);
    }

    private TaskTrackerConfig config(long process) {
      return new TaskTrackerConfig(
          List.of("tracker:35001"),
          RpcConnectorConfig.of(NodeRole.WORKER, "worker-1", GROUP, null),
          new PullConfig(
              slots,
              prefetch,
              Duration.ofSeconds(1),
              Duration.ofSeconds(6),
              Duration.ofSeconds(1),
              maxUnacknowledged,
              process,
              List.of("eu")),
          execute,
          RunnerThreads.AUTO,
          new JobLogConfig(maxLogLines, maxLogBytes, Duration.ofMillis(100), Duration.ofSeconds(1)),
          stop,
          values);
    }

    HandDrivenWorker connect() {
      HandDrivenWorker worker = build();
      worker.tracker.connect();
      return worker;
    }
  }

  /** The scripted link stands in its place. */
  private static final class NoConnector implements RpcConnector {
    @Override
    public CompletableFuture<Session> connect(String address, RequestHandler handler) {
      throw new AssertionError("a scripted worker opens no connection");
    }

    @Override
    public void close() {}
  }
}
