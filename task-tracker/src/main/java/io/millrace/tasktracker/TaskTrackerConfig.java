package io.millrace.tasktracker;

import io.millrace.common.rpc.RpcConnectorConfig;
import io.millrace.tasktracker.execute.ExecuteConfig;
import io.millrace.tasktracker.joblog.JobLogConfig;
import io.millrace.tasktracker.pull.PullConfig;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * Everything a worker is told, checked as a whole.
 *
 * @param trackers addresses of trackers as host:port; one that answers is enough
 * @param rpc who it is, which group it belongs to, and how it proves that
 * @param pull how it pulls
 * @param execute what it does with bodies that are to end
 * @param bodyThreads what bodies run on, unless the worker is given its resources
 * @param jobLog how much of the job logs it keeps
 * @param stop how long a stop may take
 */
record TaskTrackerConfig(
    List<String> trackers,
    RpcConnectorConfig rpc,
    PullConfig pull,
    ExecuteConfig execute,
    BodyThreads bodyThreads,
    JobLogConfig jobLog,
    StopConfig stop) {

  /** How long a request waits for its answer, unless it is a pull. */
  static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(15);

  /** How long a late answer to a pull is still looked at, so that its work is handed back. */
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
    bodyThreads.requireOn(VirtualThreads.feature());
    Objects.requireNonNull(jobLog, "jobLog");
    Objects.requireNonNull(stop, "stop");
  }

  /** The worker's name in log lines. */
  String name() {
    return "worker " + id() + " of group " + nodeGroup();
  }

  /** Identity of this process. */
  String id() {
    return rpc.nodeId();
  }

  String nodeGroup() {
    return rpc.group();
  }

  @Override
  public String toString() {
    return "%s: trackers %s, %s, %s, bodies on %s threads, %s, %s"
        .formatted(
            name(),
            trackers,
            pull,
            execute,
            bodyThreads.areVirtual(VirtualThreads.feature()) ? "virtual" : "platform",
            jobLog,
            stop);
  }
}
