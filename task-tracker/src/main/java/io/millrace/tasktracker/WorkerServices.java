package io.millrace.tasktracker;

import io.millrace.api.Outcome;
import io.millrace.api.ValueMapper;
import io.millrace.internal.model.Assignment;
import io.millrace.internal.protocol.ExecutionResult;
import io.millrace.internal.protocol.PullReply;
import io.millrace.internal.protocol.PullStatus;
import io.millrace.internal.protocol.Request;
import io.millrace.internal.rpc.tracker.TrackerCaller;
import io.millrace.internal.time.Clock;
import io.millrace.internal.time.TimedExecutor;
import io.millrace.tasktracker.internal.execute.AttemptListener;
import io.millrace.tasktracker.internal.execute.AttemptRunner;
import io.millrace.tasktracker.internal.execute.Attempts;
import io.millrace.tasktracker.internal.execute.Runners;
import io.millrace.tasktracker.internal.joblog.JobLogs;
import io.millrace.tasktracker.internal.keep.Answers;
import io.millrace.tasktracker.internal.keep.KeepCalls;
import io.millrace.tasktracker.internal.keep.KeptRuns;
import io.millrace.tasktracker.internal.keep.ProgressBoard;
import io.millrace.tasktracker.internal.metrics.WorkerMeasures;
import io.millrace.tasktracker.internal.metrics.WorkerMeasures.PullAnswer;
import io.millrace.tasktracker.internal.pull.PullLoop;
import io.millrace.tasktracker.internal.pull.PulledWork;
import io.millrace.tasktracker.internal.report.ReportListener;
import io.millrace.tasktracker.internal.report.Reporter;
import io.millrace.tasktracker.internal.report.ResultStore;
import io.millrace.tasktracker.internal.resources.WorkerResources;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The services of a worker and their connections: a pull starts attempts; the end of an attempt
 * flushes its log, reports its result and frees its slot; an answered result is no longer held.
 *
 * <p>Confined to the loop.
 */
final class WorkerServices {
  private final WorkerMeasures measures;
  private final Clock clock;
  private final JobLogs logs;
  private final ProgressBoard progress;
  private final KeptRuns kept;
  private final Reporter reporter;
  private final Attempts attempts;
  private final PullLoop pull;

  WorkerServices(
      TaskTrackerConfig config,
      Runners<JobRunner> runners,
      TrackerCaller tracker,
      TimedExecutor loop,
      WorkerResources resources,
      @Nullable ResultStore store,
      WorkerMeasures measures) {
    this.measures = measures;
    this.clock = loop.clock();
    this.logs =
        new JobLogs(
            config.jobLog(),
            request -> tracker.call(request, TaskTrackerConfig.REQUEST_TIMEOUT),
            loop);
    this.progress = new ProgressBoard(clock);
    this.kept =
        new KeptRuns(
            new KeepRequests(tracker),
            config.values(),
            config.pull().retryDelay(),
            loop,
            new Answers(resources.beforeWait()),
            progress);
    this.reporter =
        new Reporter(
            request -> tracker.call(request, TaskTrackerConfig.REQUEST_TIMEOUT),
            new Reported(),
            store,
            config.pull().retryDelay(),
            loop);
    this.attempts =
        new Attempts(
            config.pull().slots(),
            config.execute(),
            adapted(runners, measures, logs, kept, config.values()),
            resources.jobs(),
            loop,
            new AttemptEnds());
    this.pull = new PullLoop(config.pull(), new PullCalls(tracker, progress), new Incoming(), loop);
    List<Long> restored = reporter.restore();
    measures.restored(restored.size());
    pull.hold(restored);
  }

  private static Runners<AttemptRunner> adapted(
      Runners<JobRunner> runners,
      WorkerMeasures measures,
      JobLogs logs,
      KeptRuns kept,
      ValueMapper values) {
    return runners.map(
        (handler, runner) ->
            new RunnerAdapter(runner, measures.ofRunner(handler), logs, kept, values));
  }

  void connected() {
    measures.connected(true);
    progress.again();
    pull.connected();
    reporter.connected();
    logs.connected();
  }

  void disconnected() {
    measures.connected(false);
    pull.disconnected();
    reporter.disconnected();
    logs.disconnected();
  }

  JobLogs logs() {
    return logs;
  }

  KeptRuns kept() {
    return kept;
  }

  Reporter reporter() {
    return reporter;
  }

  Attempts attempts() {
    return attempts;
  }

  PullLoop pull() {
    return pull;
  }

  /** Sends what attempts keep; an answer that is late counts as lost, long before a lease ends. */
  private record KeepRequests(TrackerCaller tracker) implements KeepCalls {

    @Override
    public <R> CompletableFuture<R> call(Request<R> request) {
      return tracker.call(request, TaskTrackerConfig.KEEP_TIMEOUT);
    }
  }

  private void report(ExecutionResult result) {
    measures.ended(result.outcome());
    reporter.report(result);
  }

  private final class AttemptEnds implements AttemptListener {

    @Override
    public void ended(ExecutionResult result) {
      try {
        logs.flush();
      } finally {
        report(result);
      }
    }

    @Override
    public void lost(long executionId) {
      measures.lost();
    }

    @Override
    public void slotFreed(boolean invocationHasRun) {
      pull.slotFreed(invocationHasRun);
    }
  }

  private final class Reported implements ReportListener {

    @Override
    public void released(long executionId) {
      measures.acknowledged();
      pull.released(executionId);
    }

    @Override
    public void outboxFull(boolean full) {
      pull.holdBack(full);
    }
  }

  private final class Incoming implements PulledWork {

    @Override
    public void answered(@Nullable PullReply reply) {
      PullAnswer answer = PullAnswer.FAILED;
      if (reply != null) {
        boolean isServed = reply.status() == PullStatus.SERVED;
        answer = isServed ? PullAnswer.SERVED : PullAnswer.NOT_OWNER;
      }
      measures.pulled(answer);
    }

    @Override
    public void start(Assignment assignment) {
      attempts.start(assignment);
    }

    @Override
    public void handBack(Assignment assignment) {
      report(
          new ExecutionResult(
              assignment.executionId(),
              Outcome.NOT_STARTED,
              "the pull that received it had been given up",
              null,
              List.of(),
              null,
              clock.now()));
    }

    @Override
    public void stopRequested(List<Long> executionIds) {
      attempts.requestStop(executionIds);
    }

    @Override
    public void terminated(List<Long> executionIds) {
      attempts.terminate(executionIds);
    }

    @Override
    public void mayBeLost(List<Long> executionIds) {
      attempts.mayBeLost(executionIds);
    }

    @Override
    public void areLost(List<Long> executionIds) {
      attempts.areLost(executionIds);
    }
  }
}
