package io.millrace.jobtracker.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.internal.protocol.KeepRequest;
import io.millrace.internal.protocol.KeepStatus;
import io.millrace.internal.protocol.KeptKind;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.store.kept.KeptStore;
import io.millrace.jobtracker.store.kept.KeptStore.Kept;
import io.millrace.jobtracker.store.kept.KeptStore.KeptRun;
import io.millrace.jobtracker.store.kept.KeptStore.Kind;
import io.millrace.jobtracker.store.kept.KeptStore.Run;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class KeptStoreContractTest extends StoreContract {
  private static final String WORKER = "worker-1";
  private static final String LARGE = "\"" + "x".repeat(KeepRequest.MAX_VALUE_BYTES - 2) + "\"";

  private KeptStore kept;

  @BeforeEach
  void open() {
    kept = stores.kept();
  }

  private Execution executing(String taskId) {
    Execution execution = StoreRows.executing(nodeGroup, taskId);
    stores.executing().insert(List.of(execution));
    return execution;
  }

  private KeepStatus step(Execution execution, long seq, String name, @Nullable String value) {
    return kept.write(
        WORKER, new KeepRequest(execution.id(), seq, KeptKind.STEP, name, value), 7_000 + seq);
  }

  private KeepStatus checkpoint(Execution execution, long seq, String value) {
    return kept.write(
        WORKER,
        new KeepRequest(execution.id(), seq, KeptKind.CHECKPOINT, null, value),
        7_000 + seq);
  }

  private List<Kept> of(Execution execution) {
    return kept.read(Run.of(execution)).stream().sorted(Comparator.comparing(Kept::name)).toList();
  }

  private static Kept row(Kind kind, String name, @Nullable String content, long at) {
    return new Kept(kind, name, content, at);
  }

  @Test
  void valuesAreReadBack() {
    Execution execution = executing("close");

    assertThat(step(execution, 1, "charge", "{\"ok\":true}")).isEqualTo(KeepStatus.KEPT);
    assertThat(step(execution, 2, "mail", null)).isEqualTo(KeepStatus.KEPT);
    assertThat(checkpoint(execution, 3, "42")).isEqualTo(KeepStatus.KEPT);

    assertThat(of(execution))
        .containsExactly(
            row(Kind.CHECKPOINT, "#checkpoint", "42", 7_003),
            row(Kind.STEP, "charge", "{\"ok\":true}", 7_001),
            row(Kind.STEP, "mail", null, 7_002));
    assertThat(kept.list(Run.of(execution)))
        .containsExactly(
            row(Kind.STEP, "charge", null, 7_001),
            row(Kind.STEP, "mail", null, 7_002),
            row(Kind.CHECKPOINT, "#checkpoint", null, 7_003));
    assertThat(kept.read(Run.of(executing("other")))).isEmpty();
  }

  @Test
  void lastCheckpointWins() {
    Execution execution = executing("close");

    checkpoint(execution, 1, "1");
    checkpoint(execution, 2, "2");

    assertThat(of(execution)).containsExactly(row(Kind.CHECKPOINT, "#checkpoint", "2", 7_002));
  }

  @Test
  void repeatedRequestIsAnsweredTheSameAndChangesNothing() {
    Execution execution = executing("close");
    step(execution, 1, "charge", "1");
    checkpoint(execution, 2, "2");

    assertThat(step(execution, 1, "charge", "1")).isEqualTo(KeepStatus.KEPT);
    assertThat(checkpoint(execution, 2, "other")).isEqualTo(KeepStatus.KEPT);

    assertThat(of(execution)).extracting(Kept::content).containsExactly("2", "1");
    assertThat(step(execution, 3, "mail", null)).isEqualTo(KeepStatus.KEPT);
  }

  @Test
  void numberThatLeavesOneOutIsRefused() {
    Execution execution = executing("close");

    assertThat(step(execution, 2, "charge", "1")).isEqualTo(KeepStatus.CONFLICT);
    assertThat(of(execution)).isEmpty();
  }

  @Test
  void onlyTheWorkerThatHoldsTheExecutionKeeps() {
    Execution execution = executing("close");
    KeepRequest request = new KeepRequest(execution.id(), 1, KeptKind.STEP, "charge", "1");

    assertThat(kept.write("worker-2", request, 7_000)).isEqualTo(KeepStatus.LOST);
    stores.executing().delete(List.of(execution.id()));
    assertThat(kept.write(WORKER, request, 7_000)).isEqualTo(KeepStatus.LOST);

    assertThat(of(execution)).isEmpty();
  }

  @Test
  void stepOfANameThatIsStoredIsRefusedAndItsNumberRemainsFree() {
    Execution execution = executing("close");
    step(execution, 1, "charge", "1");

    assertThat(step(execution, 2, "charge", "2")).isEqualTo(KeepStatus.CONFLICT);

    assertThat(of(execution)).extracting(Kept::content).containsExactly("1");
    assertThat(step(execution, 2, "mail", "2")).isEqualTo(KeepStatus.KEPT);
  }

  @Test
  void valuesAreBounded() {
    Execution execution = executing("close");

    assertThat(step(execution, 1, "charge", LARGE)).isEqualTo(KeepStatus.KEPT);
    assertThat(step(execution, 2, "more", LARGE + " ")).isEqualTo(KeepStatus.TOO_LARGE);
    assertThat(
            kept.write(
                WORKER,
                new KeepRequest(execution.id(), 2, KeptKind.FAULT, "more", "too large"),
                7_000))
        .isEqualTo(KeepStatus.KEPT);
  }

  @Test
  void runKeepsAMebibyte() {
    Execution execution = executing("close");
    int most = KeepRequest.MAX_RUN_BYTES / KeepRequest.MAX_VALUE_BYTES;
    checkpoint(execution, 1, LARGE);
    for (int i = 1; i < most; i++) {
      assertThat(step(execution, i + 1, "step-" + i, LARGE)).isEqualTo(KeepStatus.KEPT);
    }

    assertThat(step(execution, most + 1, "one too many", "1")).isEqualTo(KeepStatus.TOO_LARGE);
    assertThat(checkpoint(execution, most + 1, LARGE))
        .as("in its place")
        .isEqualTo(KeepStatus.KEPT);
    assertThat(step(execution, most + 2, "empty", null)).isEqualTo(KeepStatus.KEPT);
  }

  @Test
  void faultsTakeNoRoomOfValues() {
    Execution execution = executing("close");
    int most = KeepRequest.MAX_RUN_BYTES / KeepRequest.MAX_VALUE_BYTES;
    KeepRequest fault =
        new KeepRequest(execution.id(), 1, KeptKind.FAULT, "faulty", "it was too large");
    assertThat(kept.write(WORKER, fault, 7_000)).isEqualTo(KeepStatus.KEPT);

    for (int i = 1; i <= most; i++) {
      assertThat(step(execution, i + 1, "step-" + i, LARGE)).isEqualTo(KeepStatus.KEPT);
    }
    assertThat(step(execution, most + 2, "one too many", "1")).isEqualTo(KeepStatus.TOO_LARGE);
  }

  @Test
  void runHasAThousandSteps() {
    Execution execution = executing("close");
    for (int i = 1; i <= KeepRequest.MAX_STEPS; i++) {
      assertThat(step(execution, i, "step-" + i, "1")).isEqualTo(KeepStatus.KEPT);
    }

    assertThat(step(execution, 1_001, "one too many", "1")).isEqualTo(KeepStatus.TOO_MANY);
    assertThat(checkpoint(execution, 1_001, "1")).isEqualTo(KeepStatus.KEPT);
  }

  @Test
  void replayTakesOverAndRemembersTheFirstRun() {
    Execution dead = executing("close");
    step(dead, 1, "charge", "1");
    Execution replay = StoreRows.executing(nodeGroup, "close");
    Execution second = StoreRows.executing(nodeGroup, "close");

    stores.transactions().run("replay", () -> kept.replayed(nodeGroup, dead, replay, 9_000));
    stores.transactions().run("replay", () -> kept.replayed(nodeGroup, replay, second, 9_001));

    String key = Run.keyOf(nodeGroup, dead);
    assertThat(kept.read(Run.of(dead))).isEmpty();
    assertThat(kept.read(Run.of(replay))).isEmpty();
    assertThat(of(second))
        .containsExactly(
            row(Kind.ORIGIN, "#origin", key, 9_000), row(Kind.STEP, "charge", "1", 7_001));
  }

  @Test
  void runsAreListedAndDeleted() {
    List<Run> runs = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      Execution execution = executing("close-" + i);
      step(execution, 1, "charge", "1");
      checkpoint(execution, 2, "1");
      runs.add(Run.of(execution));
    }

    List<KeptRun> first = kept.runs(new Run(runs.get(0).jobId() - 1, 0, 0), 3);
    List<KeptRun> rest = kept.runs(first.get(2).run(), 3);
    assertThat(first).extracting(KeptRun::run).isEqualTo(runs.subList(0, 3));
    assertThat(rest).extracting(KeptRun::run).isEqualTo(runs.subList(3, 5));
    assertThat(first.get(0))
        .isEqualTo(new KeptRun(runs.get(0), nodeGroup, "close-0", 4_999, 7_002));

    assertThat(kept.delete(runs.subList(0, 4))).isEqualTo(8);
    assertThat(kept.runs(new Run(runs.get(0).jobId() - 1, 0, 0), 9))
        .extracting(KeptRun::run)
        .containsExactly(runs.get(4));
  }

  @Test
  void runsOfManyRowsAreListedWhole() {
    Execution many = executing("many");
    for (int i = 1; i <= KeepRequest.MAX_STEPS; i++) {
      assertThat(step(many, i, "step-" + i, null)).isEqualTo(KeepStatus.KEPT);
    }
    checkpoint(many, KeepRequest.MAX_STEPS + 1, "1");
    Execution few = executing("few");
    step(few, 1, "a", "1");
    step(few, 2, "b", "2");
    step(few, 3, "c", "3");
    Execution one = executing("one");
    step(one, 1, "a", "1");
    Run before = new Run(Run.of(many).jobId() - 1, 0, 0);

    assertThat(kept.runs(before, 1)).extracting(KeptRun::taskId).containsExactly("many");
    List<KeptRun> two = kept.runs(before, 2);
    assertThat(two).extracting(KeptRun::taskId).containsExactly("many", "few");
    assertThat(two).extracting(KeptRun::lastAt).containsExactly(8_001L, 7_003L);
    assertThat(kept.runs(before, 9))
        .extracting(KeptRun::taskId)
        .containsExactly("many", "few", "one");
    assertThat(kept.runs(Run.of(many), 9))
        .extracting(KeptRun::taskId)
        .containsExactly("few", "one");
  }
}
