package io.millrace.jobtracker.submit;

import io.millrace.common.model.RejectReason;
import io.millrace.common.model.SubmitResult;
import io.millrace.common.protocol.ErrorCode;
import io.millrace.common.protocol.JobSubmission;
import io.millrace.common.protocol.SubmitReply;
import io.millrace.common.protocol.SubmitRequest;
import io.millrace.common.rpc.Peer;
import io.millrace.common.rpc.RpcException;
import io.millrace.common.time.TimedExecutor;
import io.millrace.jobtracker.pipeline.Passing;
import io.millrace.jobtracker.pipeline.PipelineBounds;
import io.millrace.jobtracker.pipeline.WaitingBytes;
import io.millrace.jobtracker.pipeline.WritePipeline;
import io.millrace.jobtracker.signal.Measures;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes in submits: judges each job alone, then stores the valid ones through one write pipeline
 * per node group. The reply leaves after the commit. Thread-safe.
 */
final class JobSubmitter {
  private static final Logger LOG = LoggerFactory.getLogger(JobSubmitter.class);
  private static final int MAX_BATCH = 256;
  private static final long MAX_BATCH_BYTES = 8 << 20;
  private static final int MAX_WAITING = 20_000;

  /** Bytes of parameters that wait to be stored, of all node groups together. */
  private static final long MAX_WAITING_BYTES = 64 << 20;

  private final JobValidator validator;
  private final GroupSubmit groupSubmit;
  private final TimedExecutor time;
  private final Measures measures;
  private final PipelineBounds<PendingSubmit> bounds =
      new PipelineBounds<>(
          MAX_BATCH,
          MAX_BATCH_BYTES,
          MAX_WAITING,
          new WaitingBytes(MAX_WAITING_BYTES),
          pending -> pending.params().bytes());
  private final Map<String, WritePipeline<PendingSubmit, SubmitResult>> pipelines =
      new ConcurrentHashMap<>();

  JobSubmitter(
      JobValidator validator, GroupSubmit groupSubmit, TimedExecutor time, Measures measures) {
    this.validator = validator;
    this.groupSubmit = groupSubmit;
    this.time = time;
    this.measures = measures;
  }

  /** Stores the jobs of a client. */
  CompletableFuture<SubmitReply> submit(Peer client, SubmitRequest request) {
    List<JobSubmission> submissions = request.submissions();
    if (submissions.isEmpty() || submissions.size() > SubmitRequest.MAX_JOBS) {
      return CompletableFuture.failedFuture(
          new RpcException(
              ErrorCode.BAD_REQUEST,
              "a submit holds 1 to "
                  + SubmitRequest.MAX_JOBS
                  + " jobs, not "
                  + submissions.size()));
    }
    List<CompletableFuture<SubmitResult>> answers = judgeAndStore(client, request);
    return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
        .thenApply(
            unused -> new SubmitReply(answers.stream().map(CompletableFuture::join).toList()));
  }

  /** A valid job and where its answer goes. */
  private record Judged(PendingSubmit job, CompletableFuture<SubmitResult> answer) {}

  private List<CompletableFuture<SubmitResult>> judgeAndStore(Peer client, SubmitRequest request) {
    List<CompletableFuture<SubmitResult>> answers = new ArrayList<>();
    Map<String, List<Judged>> byGroup = new LinkedHashMap<>();
    for (JobSubmission submission : request.submissions()) {
      CompletableFuture<SubmitResult> answer = new CompletableFuture<>();
      answers.add(answer);
      try {
        PendingSubmit valid =
            validator.validate(submission, request.waited(submission), client, time.clock().now());
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

  private void store(String group, List<Judged> judged) {
    List<CompletableFuture<SubmitResult>> stored =
        pipelines
            .computeIfAbsent(group, this::pipeline)
            .writeAll(judged.stream().map(Judged::job).toList());
    for (int i = 0; i < judged.size(); i++) {
      Judged one = judged.get(i);
      stored
          .get(i)
          .whenComplete(
              (result, failure) ->
                  one.answer().complete(failure == null ? result : failed(one.job(), failure)));
    }
    stored.get(0).thenAccept(result -> forgetIfRefused(group, result));
  }

  /** Names of groups that do not come into being are without number; none is remembered. */
  private void forgetIfRefused(String group, SubmitResult result) {
    if (result.reason() == RejectReason.TOO_MANY_NODE_GROUPS) {
      pipelines.remove(group);
    }
  }

  private WritePipeline<PendingSubmit, SubmitResult> pipeline(String group) {
    return new WritePipeline<>(
        "submit " + group, time.executor(), bounds, jobs -> commit(group, jobs));
  }

  private List<SubmitResult> commit(String group, List<PendingSubmit> jobs) {
    long begun = time.clock().nanoTime();
    List<SubmitResult> results = groupSubmit.store(group, jobs);
    measures.committed(Measures.Commit.SUBMIT, jobs.size(), time.clock().nanoTime() - begun);
    return results;
  }

  /** One job's failure is one job's answer; the client may send the same submission again. */
  private static SubmitResult failed(PendingSubmit job, Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    String key = job.job().nodeGroup() + "/" + job.taskId();
    if (cause != null && !Passing.mayBeRepeated(cause)) {
      LOG.error("submit: {} failed in a way that was not foreseen", key, cause);
    } else {
      LOG.warn("submit: {} was not stored: {}", key, String.valueOf(cause));
    }
    return SubmitResult.rejected(
        job.taskId(), RejectReason.UNAVAILABLE, key + " was not stored: " + message(cause));
  }

  private static String message(@Nullable Throwable cause) {
    return cause == null || cause.getMessage() == null ? "unknown failure" : cause.getMessage();
  }
}
