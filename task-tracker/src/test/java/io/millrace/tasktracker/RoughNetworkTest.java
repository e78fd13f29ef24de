package io.millrace.tasktracker;

import static io.millrace.tasktracker.HandDrivenWorker.GROUP;
import static io.millrace.tasktracker.HandDrivenWorker.START;
import static io.millrace.tasktracker.HandDrivenWorker.executions;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Outcome;
import io.millrace.internal.model.NodeRole;
import io.millrace.internal.protocol.ExecutionResult;
import io.millrace.internal.protocol.LogLine;
import io.millrace.internal.protocol.PullRequest;
import io.millrace.internal.rpc.RoleTokens;
import io.millrace.internal.rpc.RpcConnectorConfig;
import io.millrace.internal.rpc.memory.DeliveryPolicy;
import io.millrace.internal.rpc.memory.InProcessNetwork;
import io.millrace.internal.rpc.memory.SimulatedDelivery;
import io.millrace.internal.time.ManualClock;
import io.millrace.internal.time.ManualTimer;
import io.millrace.tasktracker.internal.resources.WorkerResources;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/**
 * A whole worker driven by hand over a network that delays, reorders, loses and cuts, with jobs
 * that take time and sometimes fail.
 */
class RoughNetworkTest {
  private static final int JOBS = 150;

  /** One simulated run. */
  private static final class Run {
    final ManualClock clock = new ManualClock(START);
    final ManualTimer timer = new ManualTimer(clock);
    final Random random;
    final InProcessNetwork network;
    final PocketTracker tracker = new PocketTracker(timer, Runnable::run);
    final Map<Long, Integer> runsOf = new HashMap<>();
    final List<String> order = new ArrayList<>();
    final int slots;
    final TaskTracker worker;
    int running;
    int mostRunning;

    Run(int slots, long seed) {
      this.slots = slots;
      this.random = new Random(seed);
      this.network = new InProcessNetwork(timer, Runnable::run, clock, seed);
      network.server("tracker:35001", "tracker-1", RoleTokens.NONE).start(tracker, session -> {});
      RpcConnectorConfig identity = RpcConnectorConfig.of(NodeRole.WORKER, "worker-1", GROUP, null);
      this.worker =
          TaskTracker.builder()
              .trackers("tracker:35001")
              .nodeGroup(GROUP)
              .id("worker-1")
              .slots(slots)
              .runner(this::invocation)
              .resources(
                  new WorkerResources(
                      clock, timer, Runnable::run, this::begin, network.connector(identity)))
              .build();
    }

    /** An invocation occupies its slot for a while, and then runs in an instant. */
    private void begin(Runnable invocation) {
      mostRunning = Math.max(mostRunning, ++running);
      timer.schedule(
          Duration.ofMillis(1 + random.nextInt(2_000)),
          Runnable::run,
          () -> {
            running--;
            invocation.run();
          });
    }

    private Result invocation(JobContext context) {
      runsOf.merge(context.executionId(), 1, Integer::sum);
      order.add(clock.millis() + " " + context.taskId());
      context.logger().info("first");
      context.logger().info("second");
      return Result.success();
    }

    void play(DeliveryPolicy policy, Duration time) {
      network.setPolicy(policy);
      worker.start();
      tracker.offer(executions(1, JOBS / 2));
      timer.advance(time.dividedBy(2));
      tracker.offer(executions(JOBS / 2 + 1, JOBS - JOBS / 2));
      timer.advance(time.dividedBy(2));
      network.setPolicy(DeliveryPolicy.RELIABLE);
      timer.advance(Duration.ofMinutes(10));
    }

    List<Long> successes() {
      return tracker.results().stream()
          .filter(result -> result.outcome() == Outcome.SUCCESS)
          .map(ExecutionResult::executionId)
          .toList();
    }

    void assertEveryJobRanOnceInItsSlot() {
      assertThat(mostRunning).isLessThanOrEqualTo(slots);
      assertThat(runsOf.values()).containsOnly(1);
      assertThat(successes()).hasSize(JOBS).containsExactlyInAnyOrderElementsOf(runsOf.keySet());
      PullRequest last = tracker.pulls().get(tracker.pulls().size() - 1);
      assertThat(last.held()).isEmpty();
      assertThat(last.slots()).isEqualTo(slots);
      for (long id : successes()) {
        assertThat(tracker.linesOf(id))
            .extracting(LogLine::text)
            .containsExactlyInAnyOrder("first", "second");
      }
    }
  }

  private static DeliveryPolicy rough(int lostPerMille, int cutPerMille, int maxDelayMillis) {
    return (parcel, random) -> {
      int dice = random.nextInt(1_000);
      if (dice < lostPerMille) {
        return SimulatedDelivery.DROPPED;
      }
      if (dice < lostPerMille + cutPerMille) {
        return SimulatedDelivery.CUT;
      }
      Duration delay = Duration.ofMillis(random.nextInt(maxDelayMillis + 1));
      return random.nextBoolean() && !parcel.isHandshake()
          ? SimulatedDelivery.overtakingAfter(delay)
          : SimulatedDelivery.after(delay);
    };
  }

  @Property(tries = 60)
  void everyJobRunsOnceInASlotOfItsOwnWhateverTheNetworkDoes(
      @ForAll @IntRange(min = 1, max = 12) int slots,
      @ForAll @IntRange(min = 0, max = 60) int lostPerMille,
      @ForAll @IntRange(min = 0, max = 5) int cutPerMille,
      @ForAll @IntRange(min = 0, max = 2_500) int maxDelayMillis,
      @ForAll long seed) {
    Run run = new Run(slots, seed);

    run.play(rough(lostPerMille, cutPerMille, maxDelayMillis), Duration.ofMinutes(2));

    run.assertEveryJobRanOnceInItsSlot();
  }

  @Test
  void answersLaterThanTheWorkerWaitsAreHandedBackAndRunLater() {
    Run run = new Run(4, 1);

    run.play(
        (parcel, random) ->
            SimulatedDelivery.overtakingAfter(Duration.ofSeconds(random.nextInt(9))),
        Duration.ofMinutes(3));

    run.assertEveryJobRanOnceInItsSlot();
    assertThat(run.tracker.results())
        .extracting(ExecutionResult::outcome)
        .contains(Outcome.NOT_STARTED);
  }

  @Test
  void equalSeedsGiveEqualRuns() {
    List<List<String>> orders =
        IntStream.range(0, 2)
            .mapToObj(
                i -> {
                  Run run = new Run(6, 42);
                  run.play(rough(30, 3, 1_000), Duration.ofMinutes(1));
                  return run.order;
                })
            .toList();

    assertThat(orders.get(0)).isEqualTo(orders.get(1)).hasSize(JOBS);
  }

  @Test
  void stopOverARoughNetworkLosesNothing() {
    Run run = new Run(6, 7);
    run.network.setPolicy(rough(0, 0, 500));
    run.worker.start();
    run.tracker.offer(executions(1, JOBS));
    run.timer.advance(Duration.ofSeconds(5));

    var closed = run.worker.closeAsync();
    run.timer.advance(Duration.ofSeconds(45));

    assertThat(closed).isCompleted();
    assertThat(run.runsOf.values()).containsOnly(1);
    assertThat(run.successes()).containsExactlyInAnyOrderElementsOf(run.runsOf.keySet());
    assertThat(run.running).isZero();
  }
}
