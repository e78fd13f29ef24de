package io.millrace.jobclient;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.api.SubmitResult;
import io.millrace.internal.rpc.memory.DeliveryPolicy;
import io.millrace.internal.rpc.memory.SimulatedDelivery;
import io.millrace.jobclient.fake.RecordingTracker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;

/**
 * Submits, replacing submits and cancels of a few keys, in any order, while connections are cut,
 * answers are lost and the process is restarted or killed. The requests of each key must reach the
 * tracker in the order in which they were made, each submit once, and none that was acknowledged
 * may be missing.
 */
class OutboxOrderTest {
  private static final String[] KEYS = {"a", "b", "c"};

  /** What the application did; each may be unsettled when the process is killed. */
  private record Operation(String key, boolean isCancel, String name, CompletableFuture<?> answer) {
    boolean isCertain() {
      return answer.isDone();
    }
  }

  private final List<Operation> operations = new ArrayList<>();
  private final Set<Operation> uncertain = new HashSet<>();
  private int names;

  @Property(tries = 40, shrinking = ShrinkingMode.OFF)
  void requestsOfAKeyArriveInTheirOrder(@ForAll("steps") List<Integer> steps, @ForAll long seed)
      throws IOException {
    operations.clear();
    uncertain.clear();
    names = 0;
    Path home = Files.createTempDirectory("outbox-order");
    OutboxRig rig = new OutboxRig(home, seed);
    try {
      drive(rig, steps, new Random(seed));
      check(rig);
    } finally {
      rig.close();
      delete(home);
    }
  }

  @Provide
  Arbitrary<List<Integer>> steps() {
    return Arbitraries.integers().between(0, 99).list().ofMinSize(5).ofMaxSize(60);
  }

  private void drive(OutboxRig rig, List<Integer> steps, Random random) {
    rig.policy(faulty());
    rig.up();
    for (int step : steps) {
      String key = KEYS[random.nextInt(KEYS.length)];
      if (step < 30) {
        submit(rig, key, random.nextBoolean());
      } else if (step < 45) {
        cancel(rig, key, step == 44);
      } else if (step < 55) {
        rig.down();
      } else if (step < 70) {
        rig.up();
      } else if (step < 74) {
        rig.restart();
      } else if (step < 78) {
        kill(rig);
      } else {
        rig.run(Duration.ofMillis(random.nextInt(step < 95 ? 500 : 40_000)));
      }
    }
    rig.policy(DeliveryPolicy.RELIABLE);
    rig.up();
    rig.run(Duration.ofMinutes(2));
  }

  private void submit(OutboxRig rig, String key, boolean replace) {
    String name = "n" + names++;
    Job job =
        Job.builder("orders", key).params(Map.of("name", name)).replaceExisting(replace).build();
    operations.add(new Operation(key, false, name, rig.submit(job)));
  }

  /** A cancel is waited for; unless the process is killed meanwhile. */
  private void cancel(OutboxRig rig, String key, boolean kill) {
    CompletableFuture<?> answer = rig.client().async().cancel("orders", key);
    operations.add(new Operation(key, true, "", answer));
    rig.run(Duration.ofMillis(150));
    if (kill) {
      kill(rig);
    }
    while (!answer.isDone()) {
      rig.run(Duration.ofMillis(50));
    }
  }

  private void kill(OutboxRig rig) {
    operations.stream().filter(operation -> !operation.isCertain()).forEach(uncertain::add);
    rig.killAndRestart();
  }

  /** Every twelfth message is cut; the others take up to a fifth of a second, in order. */
  private static DeliveryPolicy faulty() {
    return (parcel, random) ->
        random.nextInt(12) == 0
            ? SimulatedDelivery.CUT
            : SimulatedDelivery.after(Duration.ofMillis(random.nextInt(200)));
  }

  private void check(OutboxRig rig) {
    assertThat(rig.client().saved()).as("left in the outbox").isZero();
    for (Operation operation : operations) {
      if (!uncertain.contains(operation)) {
        assertThat(operation.answer()).as("%s", operation).isCompleted();
      }
    }
    for (String key : KEYS) {
      List<Operation> made = operations.stream().filter(op -> op.key().equals(key)).toList();
      List<String> done =
          rig.tracker.log().stream()
              .filter(line -> line.startsWith("orders/" + key + " "))
              .map(line -> line.substring(line.indexOf(' ') + 1))
              .toList();
      assertThat(explains(made, done)).as("made %s%ndone %s", made, done).isTrue();
    }
    assertThat(toldTwice(rig)).as("submissions told with different ends").isEmpty();
  }

  /**
   * Whether what was done is what was made, in order: each submit once, each cancel once or several
   * times in a row; those that a kill has left uncertain may be missing.
   */
  private boolean explains(List<Operation> made, List<String> done) {
    BitSet positions = new BitSet();
    positions.set(0);
    for (String event : done) {
      BitSet next = new BitSet();
      positions.stream().forEach(position -> advance(made, position, event, next));
      positions = next;
    }
    return positions.stream()
        .anyMatch(position -> made.subList(position, made.size()).stream().allMatch(this::mayMiss));
  }

  private void advance(List<Operation> made, int position, String event, BitSet next) {
    boolean isCancel = event.equals(RecordingTracker.CANCEL);
    if (isCancel && position > 0 && made.get(position - 1).isCancel()) {
      next.set(position);
    }
    for (int i = position; i < made.size(); i++) {
      Operation operation = made.get(i);
      if (isCancel ? operation.isCancel() : operation.name().equals(event)) {
        next.set(i + 1);
      }
      if (!mayMiss(operation)) {
        return;
      }
    }
  }

  private boolean mayMiss(Operation operation) {
    return uncertain.contains(operation);
  }

  private static List<String> toldTwice(OutboxRig rig) {
    Map<String, Set<SubmitResult>> ends = new HashMap<>();
    for (SavedJobOutcome told : rig.delivered) {
      if (told.submit() != null && told.submitted() != null) {
        ends.computeIfAbsent(told.submit().submissionId(), id -> new HashSet<>())
            .add(told.submitted());
      }
    }
    return ends.entrySet().stream()
        .filter(end -> end.getValue().size() > 1)
        .map(Map.Entry::getKey)
        .toList();
  }

  private static void delete(Path home) throws IOException {
    try (Stream<Path> files = Files.walk(home)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
