package io.millrace.jobtracker.status;

import io.millrace.api.JobHandle;
import io.millrace.api.JobPage;
import io.millrace.api.JobStatus;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.protocol.ListRequest;
import io.millrace.internal.protocol.OutcomeReply;
import io.millrace.internal.protocol.OutcomeRequest;
import io.millrace.internal.protocol.StatusRequest;
import io.millrace.internal.rpc.Peer;
import io.millrace.internal.rpc.RpcException;
import io.millrace.internal.time.Duty;
import io.millrace.internal.time.TimedExecutor;
import io.millrace.jobtracker.pipeline.BoundedReads;
import io.millrace.jobtracker.store.CommitListener;
import io.millrace.jobtracker.store.Stores;
import java.time.Duration;
import java.time.ZoneId;
import java.util.concurrent.CompletableFuture;

/** Answers the questions of programs about jobs. Thread-safe. */
public final class StatusService {
  /** How often the ends are looked for that other trackers committed, while ends are awaited. */
  public static final Duration LOOK_PERIOD = Duration.ofSeconds(1);

  private static final int MAX_TASK_ID_CHARS = 128;

  private final StatusReader reader;
  private final JobLister lister;
  private final BoundedReads reads;
  private final AwaitedOutcomes outcomes;

  /**
   * @param stores what is read
   * @param time clock, timer and executor
   * @param defaultZone of cron expressions without a zone
   */
  public StatusService(Stores stores, TimedExecutor time, ZoneId defaultZone) {
    EndedJobs ended = new EndedJobs(stores, time.clock());
    this.reader = new StatusReader(stores, time.clock(), defaultZone, ended);
    this.lister = new JobLister(stores);
    this.reads = new BoundedReads(time.executor());
    this.outcomes = new AwaitedOutcomes(reader, ended, reads, time);
  }

  public CompletableFuture<JobStatus> status(StatusRequest request) {
    checkTaskId(request.taskId());
    String submissionId = request.submissionId();
    if (submissionId == null) {
      return reads.read(() -> reader.byKey(request.nodeGroup(), request.taskId()));
    }
    JobHandle handle = new JobHandle(request.nodeGroup(), request.taskId(), submissionId);
    return reads.read(() -> reader.byHandle(handle));
  }

  public CompletableFuture<JobPage> list(ListRequest request) {
    return reads.read(() -> lister.list(request.filter()));
  }

  /** Answers as soon as one of the jobs has ended, or after the wait. */
  public CompletableFuture<OutcomeReply> outcome(Peer client, OutcomeRequest request) {
    int jobs = request.jobs().size();
    if (jobs < 1 || jobs > OutcomeRequest.MAX_JOBS) {
      throw new RpcException(
          ErrorCode.BAD_REQUEST,
          "a question about ends names 1 to " + OutcomeRequest.MAX_JOBS + " jobs, not " + jobs);
    }
    return outcomes.ask(client, request);
  }

  private static void checkTaskId(String taskId) {
    if (taskId.isEmpty() || taskId.length() > MAX_TASK_ID_CHARS) {
      throw new RpcException(
          ErrorCode.BAD_REQUEST, "a task id must have 1 to " + MAX_TASK_ID_CHARS + " characters");
    }
  }

  /** Looks for awaited ends that other trackers committed; does nothing while none is awaited. */
  public Duty look() {
    return now -> {
      int unused = outcomes.runOnce();
      return null;
    };
  }

  /** Receives the ends that this tracker commits. */
  public CommitListener listener() {
    return outcomes;
  }

  /** Answers the questions that wait. */
  public void close() {
    outcomes.close();
  }
}
