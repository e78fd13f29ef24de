package io.millrace.jobclient.internal.submit;

import io.millrace.api.Job;
import io.millrace.api.SubmitResult;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.protocol.JobSubmission;
import io.millrace.internal.protocol.SubmitReply;
import io.millrace.internal.protocol.SubmitRequest;
import io.millrace.internal.rpc.RpcException;
import io.millrace.internal.rpc.Session;
import io.millrace.internal.rpc.tracker.TrackerLink;
import io.millrace.internal.time.ManualClock;
import io.millrace.internal.time.ManualTimer;
import io.millrace.internal.time.TimedExecutor;
import io.millrace.jobclient.JobSubmitException;
import io.millrace.jobclient.fake.FakeSession;
import io.millrace.jobclient.internal.request.RequestContext;
import io.millrace.jobclient.internal.request.SubmissionIds;
import io.millrace.jobclient.internal.request.Timeouts;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A pipeline on a clock that is turned by hand, and the tracker it talks to. */
final class PipelineRig {
  static final Duration TIMEOUT = Duration.ofSeconds(30);

  final ManualClock clock = new ManualClock(Instant.parse("2026-03-01T00:00:00Z"));
  final ManualTimer timer = new ManualTimer(clock);
  final FakeSession tracker = new FakeSession("127.0.0.1:35001");
  final SubmitPipeline pipeline;

  private @Nullable Session session = tracker;

  PipelineRig() {
    this(SubmitBounds.of(10_000));
  }

  PipelineRig(SubmitBounds bounds) {
    this(bounds, TIMEOUT);
  }

  PipelineRig(SubmitBounds bounds, Duration timeout) {
    TrackerLink link =
        new TrackerLink() {
          @Override
          public @Nullable Session session() {
            return session;
          }

          @Override
          public @Nullable RpcException refusal() {
            return null;
          }

          @Override
          public String describe() {
            return "trackers [127.0.0.1:35001]";
          }
        };
    Random random = new Random(1);
    pipeline =
        new SubmitPipeline(
            new RequestContext(
                link, new TimedExecutor(clock, timer, Runnable::run), random, Timeouts.of(timeout)),
            bounds,
            new SubmissionIds(clock, random),
            new InFlightBound(bounds.jobsInFlight(), bounds.bytesInFlight()),
            null,
            SubmitMeasures.NONE,
            JobSubmitException::new);
  }

  static SubmitBounds bounds(int jobsPerRequest, long bytesPerRequest, int jobsInFlight) {
    return new SubmitBounds(jobsPerRequest, bytesPerRequest, 7 << 20, jobsInFlight, 64 << 20, 2);
  }

  static Job job(String taskId) {
    return Job.builder("orders", taskId).build();
  }

  CompletableFuture<SubmitResult> submit(Job job) {
    return pipeline.submit(job, Runnable::run);
  }

  void disconnect() {
    session = null;
  }

  void connect() {
    session = tracker;
    pipeline.connected();
  }

  /** Requests sent so far. */
  List<SubmitRequest> requests() {
    return tracker.calls().stream().map(call -> (SubmitRequest) call.request()).toList();
  }

  /** Task ids of each request sent so far. */
  List<List<String>> sentTaskIds() {
    return requests().stream().map(PipelineRig::taskIds).toList();
  }

  static List<String> taskIds(SubmitRequest request) {
    return request.submissions().stream().map(s -> s.job().taskId()).toList();
  }

  static List<String> submissionIds(SubmitRequest request) {
    return request.submissions().stream().map(JobSubmission::submissionId).toList();
  }

  /** Accepts every job of the request of this number, from 0. */
  void accept(int request) {
    answer(request, SubmitResult::accepted);
  }

  void answer(int request, Function<String, SubmitResult> result) {
    List<SubmitResult> results = taskIds(requests().get(request)).stream().map(result).toList();
    tracker.calls().get(request).answer(new SubmitReply(results));
  }

  void fail(int request, ErrorCode code) {
    tracker.calls().get(request).fail(code, "planned " + code);
  }
}
