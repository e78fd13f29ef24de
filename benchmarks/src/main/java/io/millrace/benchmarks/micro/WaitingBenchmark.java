package io.millrace.benchmarks.micro;

import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.TriggerCore;
import io.millrace.jobtracker.domain.trigger.TriggerKey;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.domain.waiting.PriorityOrder;
import io.millrace.jobtracker.domain.waiting.WaitingHead;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures the cost of a trigger in the tracker's memory: it is loaded, drawn for a claim, and
 * removed when the claim has an outcome. Meanwhile the deque holds its default number of other
 * triggers, so that its ordering has a realistic size.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@SuppressWarnings("NullAway.Init") // JMH calls the method of @Setup first
public class WaitingBenchmark {
  static final int BATCH = 256;

  private static final int CAPACITY = 2_000;
  private static final long MAX_BYTES = 64L << 20;
  private static final int MAX_AHEAD = 20_000;
  private static final long NOW = 1_767_225_600_000L;
  private static final int DUE_WITHIN_MILLIS = 10_000;

  /** The number of priorities of the waiting triggers. */
  @Param({"1", "50"})
  public int priorities;

  private final Random random = new Random(1);
  private WaitingHead head;
  private long lastId;
  private List<WaitingTrigger> loaded;

  /** Fills the deque except for one batch. */
  @Setup(Level.Iteration)
  public void fill() {
    head =
        new WaitingHead(
            CAPACITY, MAX_BYTES, MAX_AHEAD, Duration.ofMinutes(1), PriorityOrder.STRICT);
    load(triggers(CAPACITY - BATCH));
  }

  /** Creates the rows of a load outside the measurement. */
  @Setup(Level.Invocation)
  public void read() {
    loaded = triggers(BATCH);
  }

  /** Processes triggers from load to outcome, in batches. */
  @Benchmark
  @OperationsPerInvocation(BATCH)
  public int loadedClaimedAndSettled() {
    load(loaded);
    List<Long> claimed = new ArrayList<>(BATCH);
    for (int i = 0; i < BATCH; i++) {
      claimed.add(Objects.requireNonNull(head.takeForClaim(NOW, NOW)).id());
    }
    head.settle(claimed);
    return head.dueCount();
  }

  private void load(List<WaitingTrigger> rows) {
    Object unused = head.beginLoad().end(rows, false, NOW);
  }

  private List<WaitingTrigger> triggers(int count) {
    List<WaitingTrigger> triggers = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      long id = ++lastId;
      long dueAt = NOW - random.nextInt(DUE_WITHIN_MILLIS);
      triggers.add(
          new WaitingTrigger(
              id,
              new TriggerCore(TriggerKey.oneShot("order-" + id), id, 0, dueAt, 1),
              dueAt,
              100 + random.nextInt(priorities),
              dueAt,
              null,
              StoredParams.NONE,
              false,
              null,
              null));
    }
    return triggers;
  }
}
