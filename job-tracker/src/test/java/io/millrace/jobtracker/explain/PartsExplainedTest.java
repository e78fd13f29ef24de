package io.millrace.jobtracker.explain;

import static io.millrace.jobtracker.fixture.HandDrivenTracker.GROUP;
import static io.millrace.jobtracker.fixture.HandDrivenTracker.job;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Explanation;
import io.millrace.api.Explanation.Fact;
import io.millrace.api.FactKind;
import io.millrace.api.Outcome;
import io.millrace.api.RetryPolicy;
import io.millrace.internal.model.Assignment;
import io.millrace.internal.protocol.ExplainRequest;
import io.millrace.jobtracker.domain.batch.PartKey;
import io.millrace.jobtracker.domain.snapshot.GroupView;
import io.millrace.jobtracker.domain.snapshot.Timing;
import io.millrace.jobtracker.domain.trigger.Lane;
import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.HandDrivenWorker;
import io.millrace.jobtracker.fixture.ServiceTest;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Why a run that was split has not ended, and what the task id of its parts stands for. */
class PartsExplainedTest extends ServiceTest {
  private static final RetryPolicy STEADY =
      new RetryPolicy(3, Duration.ofSeconds(4), Duration.ofSeconds(4), 1, 0, List.of());

  private HandDrivenWorker worker;

  @BeforeEach
  void connectWorker() {
    worker = tracker.worker("worker-1");
  }

  private Set<String> connected = Set.of("worker-1");
  private Set<String> draining = Set.of();
  private Set<String> awaited = Set.of();

  private Optional<GroupView> view(String nodeGroup) {
    int free = tracker.desk().freeSlots();
    return Optional.of(
        new GroupView(
            connected,
            free,
            false,
            false,
            draining,
            Map.of("worker-1", Set.of(Lane.PARTS)),
            Map.of("worker-1", free),
            awaited));
  }

  private Explanation explain(String taskId) {
    Timing timing =
        new Timing(
            ZoneOffset.UTC,
            Duration.ofSeconds(60),
            HandDrivenTracker.WORKER_LEASE,
            Duration.ofSeconds(10),
            null,
            HandDrivenTracker.TIMEOUT_GRACE);
    CompletableFuture<Explanation> answer =
        new Explainer(stores, time.timedExecutor(), timing, this::view)
            .explain(new ExplainRequest(GROUP, taskId));
    time.run();
    return answer.join();
  }

  private List<String> texts(String taskId, FactKind kind) {
    return explain(taskId).facts().stream()
        .filter(fact -> fact.kind() == kind)
        .map(Fact::text)
        .toList();
  }

  private List<Assignment> takeParts(int more) {
    List<Assignment> parts = new ArrayList<>(worker.take(1));
    parts.addAll(worker.take(more));
    return parts;
  }

  private long batchId() {
    return stores.batches().findUnderWay(GROUP, 0, 1).get(0).id();
  }

  @Test
  void splitRunSaysWhatItsPartsDo() {
    tracker.submit(job("close").shards(8).retry(STEADY).build());
    List<Assignment> parts = takeParts(4);
    worker.succeed(parts.get(0));
    worker.succeed(parts.get(1));
    worker.report(parts.get(2), Outcome.EXCEPTION);
    worker.beat();
    long id = batchId();

    assertThat(texts("close", FactKind.RUNNING))
        .hasSize(3)
        .satisfies(
            all -> {
              assertThat(all.get(0))
                  .contains("It was split into 8 parts at ", ", as batch " + id + ".")
                  .endsWith(" 2 of 8 parts have ended; running: 2, waiting: 4.");
              assertThat(all.get(1))
                  .startsWith(
                      "Part %d of batch %d runs on worker worker-1"
                          .formatted(parts.get(3).ordinal(), id));
            });
    assertThat(texts("close", FactKind.RETRY))
        .singleElement()
        .asString()
        .startsWith(
            "Part %d of batch %d continues with retry 1 of 3, and waits until "
                .formatted(parts.get(2).ordinal(), id))
        .contains("(in 4 s): attempt 1 threw at ");
    assertThat(texts("close", FactKind.DUE))
        .isNotEmpty()
        .allSatisfy(
            text ->
                assertThat(text)
                    .startsWith("Part ")
                    .contains("but of the 1 worker connected none has a free slot"));
  }

  @Test
  void partOfABroadcastSaysWhichWorkerItWaitsFor() {
    connected = Set.of("worker-1", "worker-2");
    tracker.worker("worker-2").beat();
    worker.beat();
    tracker.submit(job("reload").broadcast().build());
    worker.take(1);
    assertThat(texts("reload", FactKind.DUE))
        .singleElement()
        .asString()
        .endsWith("but only worker worker-2 may run it, and that one has no free slot.");

    draining = Set.of("worker-2");
    assertThat(texts("reload", FactKind.DUE))
        .singleElement()
        .asString()
        .contains("but only worker worker-2 may run it, and that one is draining: it ends shortly");

    draining = Set.of();
    connected = Set.of("worker-1");

    assertThat(texts("reload", FactKind.DUE))
        .singleElement()
        .asString()
        .endsWith("but only worker worker-2 may run it, and that one is not connected.");
  }

  @Test
  void broadcastSaysForWhichWorkersItWaitsBeforeItBegins() {
    tracker.submit(job("reload").broadcast().build());
    tracker.submit(job("other").build());
    awaited = Set.of("worker-3", "worker-2");

    assertThat(texts("reload", FactKind.DUE))
        .singleElement()
        .asString()
        .endsWith(
            "but is for every worker, and the tracker of node group orders does not know yet"
                + " whether these are still there: worker-2, worker-3. It waits for them, but no"
                + " longer than 15 s in all.");
    assertThat(texts("other", FactKind.DUE)).singleElement().asString().doesNotContain("worker-2");
  }

  @Test
  void runWhosePartsHaveAllEndedIsAboutToEnd() {
    tracker.submit(job("close").shards(1).build());
    worker.succeed(takeParts(1).get(0));

    assertThat(texts("close", FactKind.RUNNING))
        .singleElement()
        .asString()
        .endsWith(
            " 1 of 1 part has ended; running: 0, waiting: 0. The tracker that serves the node group"
                + " records its end within seconds.");
  }

  @Test
  void stoppingRunNamesThePartsThatStillRun() {
    tracker.submit(job("close").shards(400).build());
    takeParts(1);
    tracker.cancel("close");

    assertThat(texts("close", FactKind.RUNNING))
        .anySatisfy(text -> assertThat(text).contains("It was cancelled: no part begins any more"))
        .anySatisfy(text -> assertThat(text).startsWith("Part ").contains("It was asked to stop"));
    assertThat(texts("#" + batchId(), FactKind.ENDED))
        .isNotEmpty()
        .allSatisfy(text -> assertThat(text).startsWith("Part ").contains(" was cancelled at "));
  }

  @Test
  void taskIdOfPartsSaysWhoseTheyAre() {
    tracker.submit(job("close").shards(2).build());
    List<Assignment> parts = takeParts(2);
    String name = PartKey.taskIdOf(batchId());
    worker.succeed(parts.get(0));

    assertThat(texts(name, FactKind.STATE))
        .singleElement()
        .asString()
        .startsWith("The parts of batch " + batchId() + ", into which a run of close was split at ")
        .endsWith(" 1 of 2 parts has ended; running: 1, waiting: 0.");
    assertThat(texts(name, FactKind.RUNNING)).hasSize(1);
    assertThat(texts(name, FactKind.ENDED)).hasSize(1);

    worker.succeed(parts.get(1));
    tracker.runBatches();
    assertThat(texts(name, FactKind.STATE))
        .singleElement()
        .asString()
        .contains("into which a run of close was split; that run is SUCCEEDED since ");
    assertThat(texts(name, FactKind.NO_NEXT_FIRE)).isEmpty();
  }

  @Test
  void unknownBatchIsNotFound() {
    tracker.submit(job("close").build());
    worker.succeed(worker.takeOne());

    for (String name : List.of("#1", "#99999999999999999999", "#" + ledger("close").get(0).id())) {
      assertThat(texts(name, FactKind.NOT_FOUND))
          .singleElement()
          .asString()
          .startsWith("No job '" + name + "' of node group orders is waiting or running");
    }
  }
}
