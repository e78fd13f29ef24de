package io.millrace.jobtracker.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.internal.protocol.KeepRequest;
import io.millrace.internal.protocol.KeepStatus;
import io.millrace.internal.protocol.KeptKind;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.store.kept.KeptStore.Run;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Values of executions are kept while their ends are written. */
class KeptStoreRacesTest extends StoreContract {
  private static final int EXECUTIONS = 200;
  private static final int BATCH = 20;
  private static final int VALUES = 4;

  private final Racer racer = new Racer();
  private final Random random = new Random(5);

  @AfterEach
  void stopRacing() {
    racer.close();
  }

  /** One writes as the service that keeps values does, the other as the writer of ends does. */
  @Test
  void whatIsKeptBeforeTheEndGoesWithItAndNothingIsKeptAfterIt() {
    Stores other = database.anotherTracker();
    List<Execution> all =
        IntStream.range(0, EXECUTIONS)
            .mapToObj(i -> StoreRows.executing(nodeGroup, "task-" + i))
            .toList();
    stores.executing().insert(all);
    for (int from = 0; from < EXECUTIONS; from += BATCH) {
      List<Execution> batch = all.subList(from, from + BATCH);
      List<List<List<KeepStatus>>> answers =
          racer.together(List.of(keeping(batch), ending(other, batch)));

      assertThat(answers.get(0)).allSatisfy(KeptStoreRacesTest::areKeptUntilTheEnd);
    }

    assertThat(stores.executing().findByGroup(nodeGroup, 0, 1)).isEmpty();
    assertThat(all).allSatisfy(one -> assertThat(stores.kept().read(Run.of(one))).isEmpty());
  }

  /** Keeps values of all, each time in one transaction; returns the answers of each execution. */
  private Callable<List<List<KeepStatus>>> keeping(List<Execution> batch) {
    return () -> {
      List<List<KeepStatus>> answers =
          batch.stream().<List<KeepStatus>>map(execution -> new ArrayList<>()).toList();
      for (int seq = 1; seq <= VALUES; seq++) {
        long number = seq;
        List<KeepStatus> written =
            stores
                .transactions()
                .repeating("keep", () -> batch.stream().map(one -> keep(one, number)).toList());
        for (int i = 0; i < batch.size(); i++) {
          answers.get(i).add(written.get(i));
        }
      }
      return answers;
    };
  }

  private KeepStatus keep(Execution execution, long seq) {
    KeepRequest request =
        seq % 2 == 0
            ? new KeepRequest(execution.id(), seq, KeptKind.CHECKPOINT, null, "1")
            : new KeepRequest(execution.id(), seq, KeptKind.STEP, "step-" + seq, "1");
    return stores.kept().write(execution.workerId(), request, 7_000);
  }

  /** Ends all in one transaction, in any order and by two statements. */
  private Callable<List<List<KeepStatus>>> ending(Stores tracker, List<Execution> batch) {
    List<Execution> order = new ArrayList<>(batch);
    Collections.shuffle(order, random);
    List<Long> ids = order.stream().map(Execution::id).toList();
    int half = ids.size() / 2;
    return () -> {
      tracker
          .transactions()
          .run(
              "end",
              () -> {
                assertThat(tracker.executing().deleteUntouched(ids.subList(0, half)))
                    .isEqualTo(half);
                assertThat(tracker.executing().delete(ids.subList(half, ids.size())))
                    .isEqualTo(ids.size() - half);
                int unused = tracker.kept().delete(order.stream().map(Run::of).toList());
              });
      return List.of();
    };
  }

  private static void areKeptUntilTheEnd(List<KeepStatus> answers) {
    int kept = (int) answers.stream().filter(KeepStatus.KEPT::equals).count();
    assertThat(answers.subList(0, kept)).allMatch(KeepStatus.KEPT::equals);
    assertThat(answers.subList(kept, VALUES)).allMatch(KeepStatus.LOST::equals);
  }
}
