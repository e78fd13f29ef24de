package io.millrace.jobtracker.group.pull;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.MISFIRE_THRESHOLD;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.RetryPolicy;
import io.millrace.api.Schedule;
import io.millrace.internal.codec.JsonCodec;
import io.millrace.internal.model.NodeRole;
import io.millrace.internal.protocol.PullReply;
import io.millrace.internal.protocol.PullRequest;
import io.millrace.internal.rpc.Peer;
import io.millrace.internal.time.ManualClock;
import io.millrace.internal.time.ManualTimer;
import io.millrace.internal.time.TimedExecutor;
import io.millrace.jobtracker.domain.job.JobDefinition;
import io.millrace.jobtracker.domain.job.JobState;
import io.millrace.jobtracker.domain.lease.GroupMemory;
import io.millrace.jobtracker.domain.lease.LeaseTable;
import io.millrace.jobtracker.domain.outcome.AttemptOutcome;
import io.millrace.jobtracker.domain.trigger.IdSequence;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.TriggerSpec;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.domain.waiting.LoadSession;
import io.millrace.jobtracker.domain.waiting.PriorityOrder;
import io.millrace.jobtracker.domain.waiting.WaitingHead;
import io.millrace.jobtracker.engine.EngineListener;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.RecordedSignals;
import io.millrace.jobtracker.group.worker.PullingWorkers;
import io.millrace.jobtracker.store.Stores;
import io.millrace.jobtracker.store.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PullAnswerTest {
  private static final String GROUP = "orders";
  private static final Duration PARK_TIME = Duration.ofSeconds(1);
  private static final Peer WORKER = new Peer(NodeRole.WORKER, "worker-1", GROUP, "localhost:1");

  private final TestDatabase database = TestDatabase.h2();
  private final Stores stores = database.stores();
  private final ManualClock clock = new ManualClock(Instant.parse("2026-11-21T00:00:00Z"));
  private final ManualTimer timer = new ManualTimer(clock);
  private final WaitingHead head =
      new WaitingHead(100, 64 << 20, 100, MISFIRE_THRESHOLD, PriorityOrder.STRICT);
  private final List<AttemptOutcome> ended = new ArrayList<>();
  private final TimedExecutor time = new TimedExecutor(clock, timer, Runnable::run);
  private final GroupMemory group =
      new GroupMemory(GROUP, 1, HandDrivenTracker.heads(head), new LeaseTable(15_000, 60_000));
  private final PullService desk =
      new PullService(
          group,
          HandDrivenTracker.claimer(
              stores, new IdSequence(1, 0), new RecordedSignals(new LeaseTable(15_000, 60_000))),
          (of, ends) -> {
            ended.addAll(ends);
            return List.of();
          },
          new LostExecutions(group, stores.executing(), time),
          time,
          new PullService.Waits(PARK_TIME, Duration.ZERO, 4),
          new PullService.Surroundings(
              new PullingWorkers(1_000, 0), () -> true, () -> {}, EngineListener.NONE));

  @AfterEach
  void closeDatabase() {
    database.close();
  }

  private CompletableFuture<PullReply> pull(long number, int slots, List<Long> held) {
    return desk.pull(WORKER, new PullRequest(number, slots, List.of(), held));
  }

  @Test
  void whatFitsIntoNoReplyStaysWaiting() {
    stores.nodeGroups().ensure(GROUP, 10);
    String json = new JsonCodec().encodeText(Map.of("text", "x".repeat(1 << 20)));
    JobDefinition job = job(new StoredParams(json.length(), json));
    stores.jobs().insert(job);
    long now = clock.millis();
    List<WaitingTrigger> rows =
        IntStream.range(0, 5).mapToObj(i -> job.triggerFor(10 + i, now - 5 + i, null, 0)).toList();
    stores.waiting().insert(GROUP, rows);
    head.beginLoad().end(rows, true, now);

    PullReply first = pull(1, 5, List.of()).join();
    List<Long> held = first.assignments().stream().map(a -> a.executionId()).toList();
    assertThat(held).hasSize(3);
    assertThat(stores.waiting().findByTask(GROUP, job.taskId())).hasSize(2);

    PullReply second = pull(2, 2, held).join();
    assertThat(second.assignments()).hasSize(2);
    assertThat(stores.waiting().findByTask(GROUP, job.taskId())).isEmpty();
    assertThat(ended).isEmpty();
  }

  @Test
  void pullThatWaitsWhileTheQueueCannotBeReadIsNotAnsweredEmpty() {
    head.beginLoad();
    CompletableFuture<PullReply> answer = pull(1, 1, List.of());

    timer.advance(PARK_TIME);

    assertThat(answer)
        .isCompletedWithValueMatching(
            told -> "the waiting queue of orders cannot be read".equals(told.trouble()));
  }

  @Test
  void pullThatSawTheQueueReadIsAnsweredEmpty() {
    LoadSession load = head.beginLoad();
    CompletableFuture<PullReply> answer = pull(1, 1, List.of());
    load.end(List.of(), true, clock.millis());
    head.beginLoad();

    timer.advance(PARK_TIME);

    assertThat(answer).isCompletedWithValueMatching(reply -> reply.assignments().isEmpty());
  }

  private static JobDefinition job(StoredParams params) {
    return new JobDefinition(
        1,
        GROUP,
        "report",
        1,
        JobState.ACTIVE,
        new Schedule.Repeat(Duration.ofSeconds(30), null, null),
        new TriggerSpec(null, RetryPolicy.DEFAULT, false, false, "shop", "s-1", "client-1"),
        params,
        100,
        0,
        0,
        null,
        0,
        false);
  }
}
