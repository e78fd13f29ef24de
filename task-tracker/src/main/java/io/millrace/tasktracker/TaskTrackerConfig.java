package io.millrace.tasktracker;

import io.millrace.api.ValueMapper;
import io.millrace.internal.rpc.RpcConnectorConfig;
import io.millrace.tasktracker.internal.execute.ExecuteConfig;
import io.millrace.tasktracker.internal.joblog.JobLogConfig;
import io.millrace.tasktracker.internal.pull.PullConfig;
import io.millrace.tasktracker.internal.threads.VirtualThreads;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * The validated configuration of a worker.
 *
 * @param trackers addresses of trackers as host:port; one that answers is enough
 * @param rpc the identity of the worker, its node group, and its credentials
 * @param pull how the worker pulls
 * @param execute how the worker ends invocations
 * @param runnerThreads the threads that run invocations; unused if the worker receives its
 *     resources
 * @param jobLog how many lines of job logs the worker keeps
 * @param stop how long a graceful stop may take
 * @param values reads parameters and writes results
 */
record TaskTrackerConfig(
    List<String> trackers,
    RpcConnectorConfig rpc,
    PullConfig pull,
    ExecuteConfig execute,
    RunnerThreads runnerThreads,
    JobLogConfig jobLog,
    StopConfig stop,
    ValueMapper values) {

  /** How long a request waits for its answer, unless it is a pull. */
  static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(15);

  /** How long a value that an attempt keeps waits for its answer before it is sent again. */
  static final Duration KEEP_TIMEOUT = Duration.ofSeconds(5);

  /** How long a late answer to a pull is still received, so that its executions are handed back. */
  static final Duration PULL_TIMEOUT = Duration.ofSeconds(60);

  public TaskTrackerConfig {
    trackers = List.copyOf(trackers);
    if (trackers.isEmpty()) {
      throw new IllegalArgumentException(
          "no tracker is given: name one with trackers(\"host:port\")");
    }
    Objects.requireNonNull(rpc, "rpc");
    Objects.requireNonNull(pull, "pull");
    Objects.requireNonNull(execute, "execute");
    runnerThreads.requireOn(VirtualThreads.feature());
    Objects.requireNonNull(jobLog, "jobLog");
    Objects.requireNonNull(stop, "stop");
    Objects.requireNonNull(values, "values");
  }

  /** Returns the name of the worker in log lines. */
  String name() {
    return "worker " + id() + " of group " + nodeGroup();
  }

  /** Returns the identity of the worker. */
  String id() {
    return rpc.nodeId();
  }

  String nodeGroup() {
    return rpc.group();
  }

  @Override
  public String toString() {
    return "%s: trackers %s, %s, %s, invocations on %s threads, %s, %s"
        .formatted(
            name(),
            trackers,
            pull,
            execute,
            runnerThreads.areVirtual(VirtualThreads.feature()) ? "virtual" : "platform",
            jobLog,
            stop);
  }
}
