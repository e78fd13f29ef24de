package io.millrace.jobclient.internal.submit;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.api.OutboxConfig;
import io.millrace.api.SubmitResult;
import io.millrace.internal.model.NodeRole;
import io.millrace.internal.protocol.JobSubmission;
import io.millrace.internal.protocol.Request;
import io.millrace.internal.protocol.SubmitReply;
import io.millrace.internal.protocol.SubmitRequest;
import io.millrace.internal.rpc.Peer;
import io.millrace.internal.rpc.RpcException;
import io.millrace.internal.rpc.Session;
import io.millrace.internal.rpc.tracker.TrackerLink;
import io.millrace.internal.time.ManualClock;
import io.millrace.internal.time.ManualTimer;
import io.millrace.internal.time.TimedExecutor;
import io.millrace.jobclient.JobSubmitException;
import io.millrace.jobclient.fake.FakeConnector;
import io.millrace.jobclient.internal.outbox.JobOutbox;
import io.millrace.jobclient.internal.request.JobKey;
import io.millrace.jobclient.internal.request.RequestContext;
import io.millrace.jobclient.internal.request.SubmissionIds;
import io.millrace.jobclient.internal.request.Timeouts;
import io.millrace.jobclient.internal.resources.ClientResources;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Jobs of one key go to the outbox in their order, while threads submit and trackers go away. */
@Timeout(300)
class SaveOrderTest {
  private static final int ROUNDS = 40;
  private static final int SUBMITTERS = 3;
  private static final int JOBS = 4;

  private final List<JobSubmission> sent = Collections.synchronizedList(new ArrayList<>());
  private final List<JobSubmission> saved = Collections.synchronizedList(new ArrayList<>());
  private final ManualClock clock = new ManualClock(Instant.parse("2026-03-01T00:00:00Z"));
  private final ManualTimer timer = new ManualTimer(clock);
  private final Tracker tracker = new Tracker();

  @Test
  void nothingOfAKeyIsSentOnceAnOlderJobOfItIsSaved(@TempDir Path directory) throws Exception {
    Random random = new Random(1);
    ClientResources resources =
        new ClientResources(
            clock, timer, Runnable::run, Runnable::run, new FakeConnector(), random);
    OutboxConfig config = new OutboxConfig(directory, 100_000, 1 << 26, Duration.ofDays(1), false);
    try (JobOutbox outbox = JobOutbox.open(config, resources, tracker)) {
      SubmitPipeline pipeline = pipeline(outbox, random);
      for (int round = 0; round < ROUNDS; round++) {
        submitWhileTrackersGoAway(pipeline, "job-" + round);
        tracker.gone = false;
        pipeline.connected();
      }
      pipeline.close(Duration.ZERO);
      outbox.start(this::accept);
    }

    assertThat(saved).isNotEmpty();
    assertThat(sent).isNotEmpty();
    for (int round = 0; round < ROUNDS; round++) {
      String taskId = "job-" + round;
      List<String> sentIds = idsOf(sent, taskId);
      List<String> savedIds = idsOf(saved, taskId);
      assertThat(sentIds).as("sent of " + taskId).isSorted();
      assertThat(savedIds).as("saved of " + taskId).isSorted();
      if (!sentIds.isEmpty() && !savedIds.isEmpty()) {
        assertThat(sentIds.get(sentIds.size() - 1)).isLessThanOrEqualTo(savedIds.get(0));
      }
    }
  }

  private SubmitPipeline pipeline(JobOutbox outbox, Random random) {
    return new SubmitPipeline(
        new RequestContext(
            tracker,
            new TimedExecutor(clock, timer, Runnable::run),
            random,
            Timeouts.of(PipelineRig.TIMEOUT)),
        SubmitBounds.of(10_000),
        new SubmissionIds(clock, random),
        new InFlightBound(10_000, 1 << 26),
        outbox,
        SubmitMeasures.NONE,
        JobSubmitException::new);
  }

  private void submitWhileTrackersGoAway(SubmitPipeline pipeline, String taskId) throws Exception {
    Job job = PipelineRig.job(taskId);
    CyclicBarrier start = new CyclicBarrier(SUBMITTERS + 1);
    List<Thread> threads =
        IntStream.range(0, SUBMITTERS)
            .mapToObj(i -> new Thread(() -> submit(pipeline, job, start)))
            .toList();
    threads.forEach(Thread::start);
    start.await();
    tracker.gone = true;
    pipeline.trackersAreGone();
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private static void submit(SubmitPipeline pipeline, Job job, CyclicBarrier start) {
    try {
      start.await();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
    for (int i = 0; i < JOBS; i++) {
      pipeline.submit(job, Runnable::run).join();
    }
  }

  private static List<String> idsOf(List<JobSubmission> submissions, String taskId) {
    return submissions.stream()
        .filter(submission -> submission.job().taskId().equals(taskId))
        .map(JobSubmission::submissionId)
        .toList();
  }

  private CompletableFuture<?> accept(JobKey key, @Nullable JobSubmission submission) {
    saved.add(Objects.requireNonNull(submission, "no cancel was saved"));
    return CompletableFuture.completedFuture(SubmitResult.accepted(key.taskId()));
  }

  /** Accepts every job at once, while it is there. */
  private final class Tracker implements TrackerLink, Session {
    private volatile boolean gone;

    @Override
    public @Nullable Session session() {
      return gone ? null : this;
    }

    @Override
    public @Nullable RpcException refusal() {
      return null;
    }

    @Override
    public String describe() {
      return "a tracker";
    }

    @Override
    public Peer peer() {
      return new Peer(NodeRole.TRACKER, "tracker-1", "", "127.0.0.1:35001");
    }

    @Override
    @SuppressWarnings("unchecked") // a SubmitRequest is a Request<SubmitReply>
    public <R> CompletableFuture<R> call(Request<R> request, Duration timeout) {
      List<JobSubmission> submissions = ((SubmitRequest) request).submissions();
      sent.addAll(submissions);
      List<SubmitResult> results =
          submissions.stream().map(each -> SubmitResult.accepted(each.job().taskId())).toList();
      return (CompletableFuture<R>) CompletableFuture.completedFuture(new SubmitReply(results));
    }

    @Override
    public boolean isOpen() {
      return true;
    }

    @Override
    public void onClose(Runnable task) {}

    @Override
    public void close() {}
  }
}
