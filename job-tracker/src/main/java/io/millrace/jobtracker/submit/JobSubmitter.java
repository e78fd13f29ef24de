package io.millrace.jobtracker.submit;

import io.millrace.api.Job;
import io.millrace.api.RejectReason;
import io.millrace.api.SubmitResult;
import io.millrace.internal.lifecycle.Completions;
import io.millrace.internal.logging.LogLimiter;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.protocol.JobSubmission;
import io.millrace.internal.protocol.RelayEpoch;
import io.millrace.internal.protocol.SubmitReply;
import io.millrace.internal.protocol.SubmitRequest;
import io.millrace.internal.rpc.Peer;
import io.millrace.internal.rpc.RpcException;
import io.millrace.internal.time.TimedExecutor;
import io.millrace.jobtracker.pipeline.PipelineBounds;
import io.millrace.jobtracker.pipeline.TransientFailures;
import io.millrace.jobtracker.pipeline.WaitingBytes;
import io.millrace.jobtracker.pipeline.WritePipeline;
import io.millrace.jobtracker.quota.StoreQuotas;
import io.millrace.jobtracker.submit.job.EarlierSubmissions;
import io.millrace.jobtracker.submit.job.InvalidJobException;
import io.millrace.jobtracker.submit.job.JobValidator;
import io.millrace.jobtracker.submit.job.PendingSubmit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives submits: validates each job separately, then stores the valid jobs through one write
 * pipeline per node group. The reply is sent after the commit. Thread-safe.
 */
public final class JobSubmitter {
  private static final Logger LOG = LoggerFactory.getLogger(JobSubmitter.class);
  private static final int MAX_BATCH = 256;
  private static final long MAX_BATCH_BYTES = 8 << 20;
  private static final int MAX_WAITING = 20_000;

  /**
   * The highest number of bytes of parameters that wait to be stored, for all node groups together.
   */
  private static final long MAX_WAITING_BYTES = 64 << 20;

  private final JobValidator validator;
  private final StoreQuotas quotas;
  private final TimedExecutor time;
  private final LogLimiter log;
  private final WritePipeline.PerGroup<PendingSubmit, SubmitResult> pipelines;

  /**
   * @param commits how many commits of one node group may be under way
   */
  JobSubmitter(
      JobValidator validator,
      GroupSubmit groupSubmit,
      StoreQuotas quotas,
      TimedExecutor time,
      int commits) {
    this.validator = validator;
    this.quotas = quotas;
    this.time = time;
    this.log = new LogLimiter(time.clock());
    PipelineBounds<PendingSubmit> bounds =
        new PipelineBounds<>(
            MAX_BATCH,
            MAX_BATCH_BYTES,
            MAX_WAITING,
            new WaitingBytes(MAX_WAITING_BYTES),
            pending -> pending.params().bytes(),
            new PipelineBounds.Parallel<>(commits, JobSubmitter::keys));
    this.pipelines =
        new WritePipeline.PerGroup<>("submit", time.executor(), bounds, groupSubmit::store);
  }

  /**
   * Submits of one task id are stored in the order in which they came, and those of one relay, too:
   * its later epoch refuses an earlier one.
   */
  private static List<String> keys(PendingSubmit job) {
    RelayEpoch relay = job.relay();
    return relay == null
        ? List.of("task " + job.taskId())
        : List.of("task " + job.taskId(), "relay " + relay.relay());
  }

  /** Stores the jobs of a client. */
  public CompletableFuture<SubmitReply> submit(Peer client, SubmitRequest request) {
    String fault = faultOf(request.submissions());
    if (fault != null) {
      return CompletableFuture.failedFuture(new RpcException(ErrorCode.BAD_REQUEST, fault));
    }
    List<CompletableFuture<SubmitResult>> answers = judgeAndStore(client, request);
    return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
        .thenApply(
            unused -> new SubmitReply(answers.stream().map(CompletableFuture::join).toList()));
  }

  private static @Nullable String faultOf(List<JobSubmission> submissions) {
    if (submissions.isEmpty() || submissions.size() > SubmitRequest.MAX_JOBS) {
      return "a submit must have 1 to "
          + SubmitRequest.MAX_JOBS
          + " jobs, not "
          + submissions.size();
    }
    for (JobSubmission submission : submissions) {
      RelayEpoch relay = submission.relay();
      String fault = relay == null ? null : relay.fault();
      if (fault != null) {
        return fault;
      }
    }
    return null;
  }

  /** A valid job and the future of its answer. */
  private record Judged(PendingSubmit job, CompletableFuture<SubmitResult> answer) {}

  private List<CompletableFuture<SubmitResult>> judgeAndStore(Peer client, SubmitRequest request) {
    List<CompletableFuture<SubmitResult>> answers = new ArrayList<>();
    Map<String, List<Judged>> byGroup = new LinkedHashMap<>();
    Map<String, Job> bySubmission = new HashMap<>();
    for (JobSubmission submission : request.submissions()) {
      CompletableFuture<SubmitResult> answer = new CompletableFuture<>();
      answers.add(answer);
      try {
        PendingSubmit valid =
            validator.validate(submission, request.waited(submission), client, time.clock().now());
        checkIsItsOwn(submission, bySubmission.putIfAbsent(submission.submissionId(), valid.job()));
        byGroup
            .computeIfAbsent(valid.job().nodeGroup(), group -> new ArrayList<>())
            .add(new Judged(valid, answer));
      } catch (InvalidJobException e) {
        answer.complete(e.resultFor(submission.job().taskId()));
      }
    }
    byGroup.forEach(this::store);
    return answers;
  }

  /** Checks that a submission id identifies one job, within a request as across all requests. */
  private static void checkIsItsOwn(JobSubmission submission, @Nullable Job first) {
    Job job = submission.job();
    if (first != null
        && !(first.taskId().equals(job.taskId()) && first.nodeGroup().equals(job.nodeGroup()))) {
      throw new InvalidJobException(
          RejectReason.BAD_SUBMISSION_ID,
          EarlierSubmissions.isAnothers(
              submission.submissionId(), first.nodeGroup(), first.taskId()));
    }
  }

  private void store(String group, List<Judged> judged) {
    String full = quotas.faultOfWaiting(group);
    if (full != null) {
      judged.forEach(
          one ->
              one.answer()
                  .complete(
                      SubmitResult.rejected(one.job().taskId(), RejectReason.WAITING_FULL, full)));
      return;
    }
    List<CompletableFuture<SubmitResult>> stored =
        pipelines.writeAll(group, judged.stream().map(Judged::job).toList());
    for (int i = 0; i < judged.size(); i++) {
      Judged one = judged.get(i);
      stored
          .get(i)
          .whenComplete(
              (result, failure) ->
                  one.answer().complete(failure == null ? result : failed(one.job(), failure)));
    }
  }

  /**
   * Turns the failure of one job into the answer to this job. The client may resend the same
   * submission.
   */
  private SubmitResult failed(PendingSubmit job, Throwable failure) {
    Throwable cause = Completions.causeOf(failure);
    String key = job.job().nodeGroup() + "/" + job.taskId();
    if (!TransientFailures.mayBeRepeated(cause)) {
      log.write(
          "failed " + cause.getClass().getName(),
          ending -> LOG.error("submit: {} failed unexpectedly{}", key, ending, cause));
    } else {
      log.write(
          "not stored " + job.job().nodeGroup(),
          ending -> LOG.warn("submit: {} was not stored: {}{}", key, cause, ending));
    }
    return SubmitResult.rejected(
        job.taskId(),
        RejectReason.UNAVAILABLE,
        key
            + " was not stored: "
            + Objects.requireNonNullElse(cause.getMessage(), "unknown failure"));
  }
}
