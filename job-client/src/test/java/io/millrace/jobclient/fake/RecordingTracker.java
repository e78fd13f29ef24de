package io.millrace.jobclient.fake;

import io.millrace.api.CancelResult;
import io.millrace.api.Job;
import io.millrace.api.SubmitResult;
import io.millrace.internal.protocol.CancelRequest;
import io.millrace.internal.protocol.JobSubmission;
import io.millrace.internal.protocol.Request;
import io.millrace.internal.protocol.SubmitReply;
import io.millrace.internal.protocol.SubmitRequest;
import io.millrace.internal.rpc.RequestHandler;
import io.millrace.internal.rpc.Session;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A tracker that stores jobs for ever, knows submissions again, and records what it did. */
public final class RecordingTracker implements RequestHandler {
  public static final String CANCEL = "cancel";

  private final List<String> log = new ArrayList<>();
  private final Map<String, SubmitResult> known = new HashMap<>();
  private final Map<String, String> living = new HashMap<>();
  private final Map<String, Duration> waited = new HashMap<>();
  private int requests;
  private Function<Job, @Nullable SubmitResult> verdict = job -> null;

  /** Answers so what this does not give null for, and stores nothing of it. */
  public void verdict(Function<Job, @Nullable SubmitResult> newVerdict) {
    verdict = newVerdict;
  }

  /**
   * What was done, in order, behind its key: for a job, when it was stored or found to be a
   * duplicate, its parameter "name" or else its submission id; for a cancel its word.
   */
  public List<String> log() {
    return List.copyOf(log);
  }

  /** Submission ids that were answered from the record do not count. */
  public int requests() {
    return requests;
  }

  /** The submission that lives under this key, or null. */
  public @Nullable String living(String key) {
    return living.get(key);
  }

  @Override
  @SuppressWarnings("unchecked") // each request gets its own reply
  public <R> CompletionStage<R> handle(Session session, Request<R> request) {
    requests++;
    Object reply =
        request instanceof SubmitRequest submit
            ? new SubmitReply(
                submit.submissions().stream().map(each -> submit(submit, each)).toList())
            : cancel((CancelRequest) request);
    return (CompletionStage<R>) CompletableFuture.completedFuture(reply);
  }

  /** How long the job of this key had waited when it was stored. */
  public @Nullable Duration waited(String key) {
    return waited.get(key);
  }

  private SubmitResult submit(SubmitRequest request, JobSubmission submission) {
    SubmitResult answered = known.get(submission.submissionId());
    SubmitResult judged = answered == null ? verdict.apply(submission.job()) : answered;
    if (judged != null) {
      return judged;
    }
    Job job = submission.job();
    String key = job.nodeGroup() + "/" + job.taskId();
    log.add(key + " " + job.params().getOrDefault("name", submission.submissionId()));
    waited.put(key, request.waited(submission));
    SubmitResult result = store(key, submission);
    known.put(submission.submissionId(), result);
    return result;
  }

  private SubmitResult store(String key, JobSubmission submission) {
    Job job = submission.job();
    if (living.containsKey(key) && !job.replaceExisting()) {
      return SubmitResult.duplicate(job.taskId(), "it lives");
    }
    return living.put(key, submission.submissionId()) == null
        ? SubmitResult.accepted(job.taskId())
        : SubmitResult.replaced(job.taskId());
  }

  private CancelResult cancel(CancelRequest request) {
    String key = request.nodeGroup() + "/" + request.taskId();
    log.add(key + " " + CANCEL);
    boolean found = living.remove(key) != null;
    return new CancelResult(found, found ? 1 : 0, 0);
  }
}
