package io.millrace.jobtracker.store;

import static io.millrace.jobtracker.store.StoreRows.batch;
import static io.millrace.jobtracker.store.StoreRows.executing;
import static io.millrace.jobtracker.store.StoreRows.nextId;
import static io.millrace.jobtracker.store.StoreRows.oneShot;
import static io.millrace.jobtracker.store.StoreRows.params;
import static io.millrace.jobtracker.store.StoreRows.planned;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.PartFailurePolicy;
import io.millrace.jobtracker.domain.batch.Ancestry;
import io.millrace.jobtracker.domain.batch.Batch;
import io.millrace.jobtracker.domain.batch.BatchBounds;
import io.millrace.jobtracker.domain.batch.BatchKind;
import io.millrace.jobtracker.domain.batch.BatchState;
import io.millrace.jobtracker.domain.batch.BatchStop;
import io.millrace.jobtracker.domain.batch.Part;
import io.millrace.jobtracker.domain.batch.PartCounts;
import io.millrace.jobtracker.domain.batch.PartDraft;
import io.millrace.jobtracker.domain.batch.PartEnds;
import io.millrace.jobtracker.domain.batch.PartKey;
import io.millrace.jobtracker.domain.batch.ReduceState;
import io.millrace.jobtracker.domain.trigger.BoundTo;
import io.millrace.jobtracker.domain.trigger.Execution;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.store.batch.BatchStore;
import io.millrace.jobtracker.store.batch.BatchStore.LockedBatch;
import io.millrace.jobtracker.store.batch.BatchStore.Staged;
import io.millrace.jobtracker.store.batch.BatchStore.Stopping;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BatchStoreContractTest extends StoreContract {
  private static final String WORKER = "worker-1";

  private BatchStore store;

  @BeforeEach
  void takeStore() {
    store = stores.batches();
  }

  private Batch opened(String taskId, int parts) {
    Batch batch = batch(nodeGroup, oneShot(taskId), parts);
    store.insert(List.of(batch));
    return batch;
  }

  private Batch read(long id) {
    return store.find(List.of(id)).get(0);
  }

  private PartCounts counts(Batch batch) {
    return read(batch.id()).counts();
  }

  // Rows.

  @Test
  void batchIsReadBackWithEverything() {
    Execution run = executing(nodeGroup, oneShot("a", params("{\"orderId\":\"42\"}")));
    Batch batch =
        new Batch(
            run,
            BatchKind.BROADCAST,
            BatchState.STOPPING,
            new PartCounts(20, 18, new PartEnds(1, 2, 3, 4, 5), 2),
            PartFailurePolicy.IGNORE,
            ReduceState.TO_COME,
            new Ancestry(5L, 4, 3),
            7_000L,
            9_000L,
            BatchStop.PART_FAILED,
            1L << 29,
            17);
    store.insert(List.of(batch));

    assertThat(store.find(List.of(batch.id(), nextId()))).containsExactly(batch);
  }

  @Test
  void batchOfARecurringJobIsReadBack() {
    Batch batch = batch(nodeGroup, planned(7, "a", 5_000), 3);
    store.insert(List.of(batch));

    assertThat(read(batch.id())).isEqualTo(batch);
  }

  @Test
  void batchesUnderWayOfAGroupComeInOrderOfTheirIds() {
    Batch first = opened("a", 2);
    Batch second = opened("b", 2);
    staged("c", 2);
    store.insert(List.of(batch(newNodeGroup(), oneShot("a"), 2)));

    assertThat(store.findUnderWay(nodeGroup, 0, 10)).containsExactly(first, second);
    assertThat(store.findUnderWay(nodeGroup, 0, 1)).containsExactly(first);
    assertThat(store.findUnderWay(nodeGroup, first.id(), 10)).containsExactly(second);
    assertThat(store.findByTask(nodeGroup, "b")).containsExactly(second.id());
    assertThat(store.findByTask(nodeGroup, "c")).isEmpty();
  }

  @Test
  void batchesOfAGroupAreSeenInAnyStateUntilTheLastIsGone() {
    store.insert(List.of(batch(newNodeGroup(), oneShot("a"), 2)));
    assertThat(store.hasAny(nodeGroup)).as("of another group").isFalse();

    Execution staged = staged("b", 2);
    assertThat(store.hasAny(nodeGroup)).as("staged").isTrue();
    assertThat(store.deleteStaged(staged.id())).isTrue();
    assertThat(store.hasAny(nodeGroup)).isFalse();

    Batch open = opened("c", 1);
    assertThat(store.hasAny(nodeGroup)).as("open").isTrue();
    assertThat(store.release(open.id(), 0, 1)).isTrue();
    store.countEnds(Map.of(open.id(), new PartEnds(1, 0, 0, 0, 0)));
    assertThat(store.hasAny(nodeGroup)).as("with its parts ended").isTrue();
    assertThat(store.deleteEnded(open.id())).isTrue();
    assertThat(store.hasAny(nodeGroup)).isFalse();
  }

  // Locks and counts.

  @Test
  void lockedBatchShowsWhatDecides() {
    Batch open = opened("a", 3);

    Map<Long, LockedBatch> locked =
        stores.transactions().inTransaction("lock", () -> store.lock(List.of(open.id(), nextId())));

    assertThat(locked)
        .containsExactly(
            Map.entry(
                open.id(),
                new LockedBatch(
                    open.id(),
                    nodeGroup,
                    BatchState.OPEN,
                    PartCounts.of(3),
                    PartFailurePolicy.FINISH,
                    ReduceState.NONE,
                    Ancestry.ofRoot(open.id()),
                    0)));
    assertThat(store.lock(List.of())).isEmpty();
  }

  @Test
  void endsAreAddedAndTheLastOneIsNoted() {
    Batch one = opened("a", 3);
    Batch other = opened("b", 1);
    store.release(one.id(), 0, 3);
    store.release(other.id(), 0, 1);

    store.countEnds(
        Map.of(one.id(), new PartEnds(1, 0, 0, 0, 1), other.id(), new PartEnds(0, 0, 1, 0, 0)));

    assertThat(counts(one)).isEqualTo(new PartCounts(3, 3, new PartEnds(1, 0, 0, 0, 1), 0));
    assertThat(store.findAllEnded(nodeGroup, 0, 10)).containsExactly(other.id());
    store.countEnds(Map.of(one.id(), new PartEnds(0, 1, 0, 0, 0)));
    assertThat(counts(one).isAllEnded()).isTrue();
    assertThat(store.findAllEnded(nodeGroup, 0, 10)).containsExactly(one.id(), other.id());
    assertThat(store.findAllEnded(nodeGroup, 0, 1)).containsExactly(one.id());
  }

  @Test
  void endsThatTwoTrackersCountAddUp() {
    Batch batch = opened("a", 200);
    store.release(batch.id(), 0, 200);
    Stores other = database.anotherTracker();
    try (Racer racer = new Racer()) {
      for (int round = 0; round < 50; round++) {
        racer.together(List.of(counting(stores, batch.id()), counting(other, batch.id())));
      }
    }

    assertThat(counts(batch).ended()).isEqualTo(new PartEnds(100, 0, 0, 100, 0));
    assertThat(store.findAllEnded(nodeGroup, 0, 10)).containsExactly(batch.id());
  }

  private static Callable<Boolean> counting(Stores tracker, long id) {
    return () -> {
      tracker.batches().countEnds(Map.of(id, new PartEnds(1, 0, 0, 1, 0)));
      return true;
    };
  }

  @Test
  void markOfReleasedPartsIsMovedByOneOfTwo() {
    Stores other = database.anotherTracker();
    try (Racer racer = new Racer()) {
      for (int round = 0; round < 20; round++) {
        Batch batch = opened("task-" + round, 500);

        assertThat(
                racer.together(
                    List.<Callable<Boolean>>of(
                        () -> store.release(batch.id(), 0, 256),
                        () -> other.batches().release(batch.id(), 0, 256))))
            .containsExactlyInAnyOrder(true, false);
      }
    }
  }

  @Test
  void onlyPartsThatThereAreOfAnOpenBatchAreReleased() {
    Batch batch = opened("a", 3);

    assertThat(store.release(batch.id(), 0, 4)).isFalse();
    assertThat(store.release(batch.id(), 1, 2)).isFalse();
    assertThat(store.release(batch.id(), 0, 2)).isTrue();
    assertThat(store.stop(List.of(batch.id()), BatchStop.CANCELLED, "")).isEqualTo(1);
    assertThat(store.release(batch.id(), 2, 3)).isFalse();
    assertThat(store.release(nextId(), 0, 1)).isFalse();
  }

  // The reduce.

  private Batch reducing(String taskId, int parts) {
    Execution run = executing(nodeGroup, oneShot(taskId));
    Batch batch =
        new Batch(
            run,
            BatchKind.SHARDS,
            BatchState.OPEN,
            PartCounts.of(parts),
            PartFailurePolicy.FINISH,
            ReduceState.TO_COME,
            Ancestry.ofRoot(run.id()),
            7_000L,
            null,
            null,
            0,
            0);
    store.insert(List.of(batch));
    store.release(run.id(), 0, parts);
    return batch;
  }

  @Test
  void reduceIsReleasedOnceAfterAllOthersAndItsEndIsNoted() {
    Batch batch = reducing("a", 2);
    assertThat(store.releaseReduce(batch.id())).as("parts are left").isFalse();
    store.countEnds(Map.of(batch.id(), new PartEnds(2, 0, 0, 0, 0)));

    assertThat(store.releaseReduce(batch.id())).isTrue();
    assertThat(store.releaseReduce(batch.id())).isFalse();

    assertThat(counts(batch)).isEqualTo(new PartCounts(3, 3, new PartEnds(2, 0, 0, 0, 0), 0));
    assertThat(read(batch.id()).reduce()).isEqualTo(ReduceState.RELEASED);
    assertThat(store.findAllEnded(nodeGroup, 0, 10)).isEmpty();
    store.countEnds(Map.of(batch.id(), new PartEnds(0, 0, 1, 0, 0)));
    assertThat(read(batch.id()).reduce()).isEqualTo(ReduceState.DEAD);
    assertThat(store.findAllEnded(nodeGroup, 0, 10)).containsExactly(batch.id());
  }

  @Test
  void reduceIsNotReleasedAfterAStopAndOneThatWaitedIsCancelled() {
    Batch late = reducing("late", 1);
    store.countEnds(Map.of(late.id(), new PartEnds(1, 0, 0, 0, 0)));
    store.stop(List.of(late.id()), BatchStop.CANCELLED, "");
    assertThat(store.releaseReduce(late.id())).isFalse();

    Batch batch = reducing("a", 1);
    store.countEnds(Map.of(batch.id(), new PartEnds(1, 0, 0, 0, 0)));
    store.releaseReduce(batch.id());
    store.stop(List.of(batch.id()), BatchStop.CANCELLED, "");
    assertThat(read(batch.id()).reduce()).isEqualTo(ReduceState.RELEASED);
    store.countEnds(Map.of(batch.id(), PartEnds.cancelled(1)));
    assertThat(read(batch.id()).reduce()).isEqualTo(ReduceState.CANCELLED);
  }

  // Replays.

  @Test
  void replayIsOneMorePartOfABatchThatIsOpen() {
    Batch batch = opened("a", 2);
    store.release(batch.id(), 0, 2);
    store.countEnds(Map.of(batch.id(), new PartEnds(1, 0, 1, 0, 0)));

    assertThat(store.addReplay(batch.id(), 1)).as("it has two parts").isFalse();
    assertThat(store.addReplay(batch.id(), 2)).isTrue();
    assertThat(store.addReplay(batch.id(), 2)).as("it has three by now").isFalse();

    assertThat(counts(batch)).isEqualTo(new PartCounts(3, 2, new PartEnds(1, 0, 1, 0, 0), 1));
    assertThat(store.findAllEnded(nodeGroup, 0, 10)).isEmpty();
    store.release(batch.id(), 2, 3);
    store.countEnds(Map.of(batch.id(), new PartEnds(1, 0, 0, 0, 0)));
    assertThat(store.findAllEnded(nodeGroup, 0, 10)).containsExactly(batch.id());
  }

  @Test
  void nothingIsReplayedInABatchThatIsStoppedStagedOrReduced() {
    Batch stopped = opened("a", 2);
    store.stop(List.of(stopped.id()), BatchStop.CANCELLED, "");
    Execution staged = staged("b", 2);
    Batch reduced = reducing("c", 1);
    store.countEnds(Map.of(reduced.id(), new PartEnds(0, 0, 1, 0, 0)));
    Batch open = reducing("d", 1);
    store.countEnds(Map.of(open.id(), new PartEnds(0, 0, 1, 0, 0)));
    store.releaseReduce(reduced.id());

    assertThat(store.addReplay(stopped.id(), 2)).isFalse();
    assertThat(store.addReplay(staged.id(), 2)).isFalse();
    assertThat(store.addReplay(reduced.id(), 2)).isFalse();
    assertThat(store.addReplay(nextId(), 2)).isFalse();
    assertThat(store.addReplay(open.id(), 1)).as("its reduce is still to come").isTrue();
  }

  @Test
  void replayIsAddedByOneOfTwoThatSawTheSameParts() {
    Stores other = database.anotherTracker();
    try (Racer racer = new Racer()) {
      for (int round = 0; round < 20; round++) {
        Batch batch = opened("task-" + round, 2);
        store.release(batch.id(), 0, 2);
        store.countEnds(Map.of(batch.id(), new PartEnds(0, 0, 1, 0, 0)));

        assertThat(
                racer.together(
                    List.<Callable<Boolean>>of(
                        () -> store.addReplay(batch.id(), 2),
                        () -> other.batches().addReplay(batch.id(), 2))))
            .containsExactlyInAnyOrder(true, false);
        assertThat(counts(batch).total()).isEqualTo(3);
      }
    }
  }

  private Batch with(
      String taskId, PartFailurePolicy policy, PartEnds ends, @Nullable Long deadline) {
    Execution run = executing(nodeGroup, oneShot(taskId));
    Batch batch =
        new Batch(
            run,
            BatchKind.SHARDS,
            BatchState.OPEN,
            new PartCounts(9, 5, ends, 0),
            policy,
            ReduceState.NONE,
            Ancestry.ofRoot(run.id()),
            7_000L,
            deadline,
            null,
            0,
            0);
    store.insert(List.of(batch));
    return batch;
  }

  @Test
  void batchesToStopAreThoseThatAreLateOrOfWhichAPartFailed() {
    PartEnds failed = new PartEnds(1, 1, 0, 0, 0);
    Batch late = with("late", PartFailurePolicy.FINISH, PartEnds.NONE, 8_000L);
    with("in-time", PartFailurePolicy.STOP, PartEnds.NONE, 8_001L);
    with("goes-on", PartFailurePolicy.FINISH, failed, null);
    Batch stops = with("stops", PartFailurePolicy.STOP, failed, null);
    Batch stopping = with("stopping", PartFailurePolicy.STOP, failed, null);
    store.stop(List.of(stopping.id()), BatchStop.CANCELLED, "");

    assertThat(store.findToStop(nodeGroup, 0, 8_000, 10)).containsExactly(late.id(), stops.id());
    assertThat(store.findToStop(nodeGroup, late.id(), 8_000, 10)).containsExactly(stops.id());
    assertThat(store.findToStop(nodeGroup, 0, 8_000, 1)).containsExactly(late.id());
  }

  @Test
  void whatLivesBelowARootIsCountedWithoutThePartsThatWereSplit() {
    Batch top = opened("a", 10);
    store.release(top.id(), 0, 8);
    store.countEnds(Map.of(top.id(), new PartEnds(2, 0, 0, 0, 0)));
    assertThat(store.countLive(top.id())).isEqualTo(6);
    Execution part = executing(nodeGroup, top.part(1, nextId(), StoredParams.NONE, 5_000));
    Batch below = Batch.opened(part, BatchKind.MAP, 40, new Ancestry(top.id(), top.id(), 2), 8_000);
    store.insert(List.of(below));
    assertThat(store.countLive(top.id())).isEqualTo(5);

    store.release(below.id(), 0, 30);

    assertThat(store.countLive(top.id())).isEqualTo(35);
    assertThat(store.countLive(nextId())).isZero();
  }

  @Test
  void bytesAddUp() {
    Batch one = opened("a", 1);
    Batch other = opened("b", 1);

    store.addBytes(Map.of(one.id(), 5L, other.id(), 1L << 29));
    store.addBytes(Map.of(one.id(), 3L));

    assertThat(read(one.id()).bytes()).isEqualTo(8);
    assertThat(read(other.id()).bytes()).isEqualTo(1L << 29);
  }

  // Ends.

  @Test
  void stopCountsWhatWasNeverReleased() {
    Batch batch = opened("a", 1_000);
    Batch other = opened("b", 3);
    store.release(batch.id(), 0, 256);
    store.countEnds(Map.of(batch.id(), new PartEnds(5, 1, 0, 0, 0)));

    List<Long> both = List.of(batch.id(), other.id());
    assertThat(store.stop(both, BatchStop.CANCELLED, "ann")).isEqualTo(2);

    Batch stopped = read(batch.id());
    assertThat(stopped.counts())
        .isEqualTo(new PartCounts(1_000, 1_000, new PartEnds(5, 1, 0, 744, 0), 0));
    assertThat(stopped.counts().live()).isEqualTo(250);
    assertThat(stopped.state()).isEqualTo(BatchState.STOPPING);
    assertThat(stopped.stop()).isEqualTo(BatchStop.CANCELLED);
    assertThat(stopped.run().stopRequested()).isTrue();
    assertThat(stopped.run().terminatedBy()).isEqualTo("ann");
    assertThat(store.findStopping(nodeGroup, 0, 10))
        .containsExactly(new Stopping(batch.id(), true));
    assertThat(store.findAllEnded(nodeGroup, 0, 10)).containsExactly(other.id());
    assertThat(store.stop(both, BatchStop.DEADLINE, "bob")).as("again").isZero();
    store.countEnds(Map.of(batch.id(), PartEnds.cancelled(250)));
    assertThat(store.findAllEnded(nodeGroup, 0, 10)).containsExactly(batch.id(), other.id());
    assertThat(store.findStopping(nodeGroup, 0, 10)).isEmpty();
  }

  @Test
  void terminationOfAStoppingBatchNotesWhoWasFirstAndChangesNothingElse() {
    Batch cancelled = opened("cancelled", 300);
    Batch late = opened("late", 300);
    Batch open = opened("open", 300);
    List<Long> all = List.of(cancelled.id(), late.id(), open.id());
    for (long id : all) {
      store.release(id, 0, 256);
    }
    store.stop(List.of(cancelled.id()), BatchStop.CANCELLED, "");
    store.stop(List.of(late.id()), BatchStop.DEADLINE, "");
    Batch before = read(late.id());
    assertThat(store.findStopping(nodeGroup, 0, 10))
        .containsExactly(new Stopping(cancelled.id(), false), new Stopping(late.id(), false));

    assertThat(store.terminate(List.of(late.id()), "ann")).isEqualTo(1);
    assertThat(store.terminate(all, "bob")).isEqualTo(2);

    assertThat(read(late.id()).run().terminatedBy()).isEqualTo("ann");
    assertThat(read(cancelled.id()).run().terminatedBy()).isEqualTo("bob");
    assertThat(read(open.id()).run().terminatedBy()).isNull();
    assertThat(read(open.id()).state()).isEqualTo(BatchState.OPEN);
    assertThat(read(late.id()).stop()).isEqualTo(BatchStop.DEADLINE);
    assertThat(read(late.id()).counts()).isEqualTo(before.counts());
    assertThat(store.findStopping(nodeGroup, 0, 10))
        .containsExactly(new Stopping(cancelled.id(), true), new Stopping(late.id(), true));
    assertThat(store.findStopping(nodeGroup, cancelled.id(), 10))
        .containsExactly(new Stopping(late.id(), true));
    assertThat(store.findStopping(nodeGroup, 0, 1))
        .containsExactly(new Stopping(cancelled.id(), true));
  }

  @Test
  void onlyOpenBatchesThatLackPartsAreFoundForTheirRelease() {
    Batch fresh = opened("fresh", 300);
    Batch full = opened("full", 300);
    Batch small = opened("small", 10);
    Batch stopping = opened("stopping", 300);
    store.release(full.id(), 0, 256);
    store.release(small.id(), 0, 10);
    store.stop(List.of(stopping.id()), BatchStop.CANCELLED, "");
    assertThat(store.findToRelease(nodeGroup, 0, 256, 10)).containsExactly(fresh.id());

    store.countEnds(Map.of(full.id(), new PartEnds(64, 0, 0, 0, 0)));
    assertThat(store.findToRelease(nodeGroup, 0, 256, 10)).containsExactly(fresh.id());
    store.countEnds(Map.of(full.id(), new PartEnds(1, 0, 0, 0, 0)));

    assertThat(store.findToRelease(nodeGroup, 0, 256, 10)).containsExactly(fresh.id(), full.id());
    assertThat(store.findToRelease(nodeGroup, fresh.id(), 256, 10)).containsExactly(full.id());
    assertThat(store.findToRelease(nodeGroup, 0, 256, 1)).containsExactly(fresh.id());
  }

  @Test
  void correctedCountsSayWhetherAllHaveEnded() {
    Batch batch = opened("a", 3);
    PartCounts ended = new PartCounts(3, 3, new PartEnds(2, 0, 0, 1, 0), 0);
    store.correct(batch.id(), ended);
    assertThat(counts(batch)).isEqualTo(ended);
    assertThat(store.findAllEnded(nodeGroup, 0, 10)).containsExactly(batch.id());

    PartCounts less = new PartCounts(3, 3, new PartEnds(2, 0, 0, 0, 0), 0);
    store.correct(batch.id(), less);
    assertThat(store.look(List.of(batch.id(), nextId())).get(batch.id()).counts()).isEqualTo(less);
    assertThat(store.findAllEnded(nodeGroup, 0, 10)).isEmpty();
  }

  @Test
  void batchIsEndedByExactlyOneOfTwoAndNotBeforeItsLastPart() {
    Stores other = database.anotherTracker();
    try (Racer racer = new Racer()) {
      for (int round = 0; round < 20; round++) {
        Batch batch = opened("task-" + round, 2);
        store.release(batch.id(), 0, 2);
        store.countEnds(Map.of(batch.id(), PartEnds.cancelled(1)));
        assertThat(store.deleteEnded(batch.id())).isFalse();
        store.countEnds(Map.of(batch.id(), PartEnds.cancelled(1)));

        assertThat(
                racer.together(
                    List.<Callable<Boolean>>of(
                        () -> store.deleteEnded(batch.id()),
                        () -> other.batches().deleteEnded(batch.id()))))
            .containsExactlyInAnyOrder(true, false);
        assertThat(store.find(List.of(batch.id()))).isEmpty();
      }
    }
  }

  // Staging.

  private Execution executes(String taskId) {
    Execution execution = executing(nodeGroup, taskId);
    stores.executing().insert(List.of(execution));
    return execution;
  }

  private Execution staged(String taskId, int parts) {
    Execution execution = executes(taskId);
    assertThat(store.stage(WORKER, execution.id(), 1, some(1, parts))).isEqualTo(Staged.STORED);
    return execution;
  }

  private static List<PartDraft> some(int first, int count) {
    return IntStream.range(first, first + count)
        .mapToObj(i -> new PartDraft("runner-" + i, params("{\"part\":\"" + i + "\"}")))
        .toList();
  }

  @Test
  void stagedPartsAreStoredUnderTheirExecutionAndNothingRuns() {
    Execution execution = executes("a");

    assertThat(store.stage(WORKER, execution.id(), 1, some(1, 3))).isEqualTo(Staged.STORED);
    assertThat(store.stage(WORKER, execution.id(), 4, some(4, 2))).isEqualTo(Staged.STORED);

    Batch batch = read(execution.id());
    assertThat(batch.run()).isEqualTo(execution);
    assertThat(batch.state()).isEqualTo(BatchState.STAGED);
    assertThat(batch.counts()).isEqualTo(PartCounts.of(5));
    assertThat(batch.bytes()).isEqualTo(5 * 12);
    assertThat(batch.ancestry()).isEqualTo(Ancestry.ofRoot(execution.id()));
    assertThat(stores.parts().read(execution.id(), 0, 10))
        .isEqualTo(
            IntStream.rangeClosed(1, 5)
                .mapToObj(
                    i ->
                        Part.of(
                            new PartKey(execution.id(), i),
                            "runner-" + i,
                            params("{\"part\":\"" + i + "\"}")))
                .toList());
    assertThat(store.findUnderWay(nodeGroup, 0, 10)).isEmpty();
    assertThat(store.findAllEnded(nodeGroup, 0, 10)).isEmpty();
  }

  @Test
  void repeatedRequestIsAnsweredTheSameAndStoresNothing() {
    Execution execution = staged("a", 3);

    assertThat(store.stage(WORKER, execution.id(), 1, some(1, 3))).isEqualTo(Staged.STORED);
    assertThat(store.stage(WORKER, execution.id(), 5, some(5, 1))).isEqualTo(Staged.CONFLICT);
    assertThat(store.stage(WORKER, execution.id(), 2, some(2, 3))).isEqualTo(Staged.CONFLICT);

    assertThat(read(execution.id()).counts().total()).isEqualTo(3);
  }

  @Test
  void onlyTheWorkerThatHoldsTheExecutionStages() {
    Execution execution = executes("a");

    assertThat(store.stage("worker-2", execution.id(), 1, some(1, 1))).isEqualTo(Staged.LOST);
    stores.executing().requestStop(nodeGroup, "a");
    assertThat(store.stage(WORKER, execution.id(), 1, some(1, 1))).isEqualTo(Staged.LOST);
    stores.executing().delete(List.of(execution.id()));
    assertThat(store.stage(WORKER, execution.id(), 1, some(1, 1))).isEqualTo(Staged.LOST);

    assertThat(store.find(List.of(execution.id()))).isEmpty();
  }

  @Test
  void successThatNamesTheNumberOfStagedPartsOpensThem() {
    Execution execution = staged("a", 3);

    assertThat(store.open(execution, 2, 8_000)).isFalse();
    assertThat(store.open(execution, 3, 8_000)).isTrue();
    assertThat(store.open(execution, 3, 8_000)).isFalse();

    Batch open = read(execution.id());
    assertThat(open.state()).isEqualTo(BatchState.OPEN);
    assertThat(open.openedAt()).isEqualTo(8_000);
  }

  @Test
  void partsOfABatchStageBelowIt() {
    Batch top = opened("a", 3);
    Execution part = executing(nodeGroup, top.part(2, nextId(), StoredParams.NONE, 5_000));
    stores.executing().insert(List.of(part));

    assertThat(store.stage(WORKER, part.id(), 1, some(1, 7))).isEqualTo(Staged.STORED);
    assertThat(store.stage(WORKER, part.id(), 1, some(1, 7))).as("again").isEqualTo(Staged.STORED);

    assertThat(read(part.id()).ancestry()).isEqualTo(new Ancestry(top.id(), top.id(), 2));
    assertThat(read(top.id()).partsBelow()).isEqualTo(7);
    assertThat(store.findBelow(List.of(top.id()))).as("staged only").isEmpty();
    store.open(part, 7, 8_000);
    assertThat(store.findBelow(List.of(top.id()))).containsExactly(part.id());
  }

  @Test
  void partsBelowATopAndDepthAreBounded() {
    Batch top = opened("a", 3);
    Execution part = executing(nodeGroup, top.part(1, nextId(), StoredParams.NONE, 5_000));
    stores.executing().insert(List.of(part));
    database.execute(
        "UPDATE jt_batch SET parts_below = %d WHERE id = %d"
            .formatted(BatchBounds.MAX_PARTS - 3 - 5, top.id()));

    assertThat(store.stage(WORKER, part.id(), 1, some(1, 6))).isEqualTo(Staged.TOO_MANY);
    assertThat(store.find(List.of(part.id()))).isEmpty();
    assertThat(store.stage(WORKER, part.id(), 1, some(1, 5))).isEqualTo(Staged.STORED);
    assertThat(read(top.id()).partsBelow()).isEqualTo(BatchBounds.MAX_PARTS - 3);

    database.execute(
        "UPDATE jt_batch SET depth = %d WHERE id = %d".formatted(BatchBounds.MAX_DEPTH, top.id()));
    Execution other = executing(nodeGroup, top.part(2, nextId(), StoredParams.NONE, 5_000));
    stores.executing().insert(List.of(other));
    assertThat(store.stage(WORKER, other.id(), 1, some(1, 1))).isEqualTo(Staged.TOO_DEEP);
  }

  @Test
  void bytesAreBounded() {
    Execution execution = staged("a", 1);
    database.execute(
        "UPDATE jt_batch SET bytes = %d WHERE id = %d"
            .formatted(BatchBounds.MAX_BYTES - 12, execution.id()));

    assertThat(store.stage(WORKER, execution.id(), 2, some(2, 2))).isEqualTo(Staged.TOO_LARGE);
    assertThat(store.stage(WORKER, execution.id(), 2, some(2, 1))).isEqualTo(Staged.STORED);
  }

  @Test
  void whatAnAttemptStagedThatDidNotOpenItIsFoundAndDeleted() {
    Batch top = opened("top", 1);
    Execution part = executing(nodeGroup, top.part(1, nextId(), StoredParams.NONE, 5_000));
    stores.executing().insert(List.of(part));
    store.stage(WORKER, part.id(), 1, some(1, 4));
    Execution live = staged("live", 2);
    Execution gone = staged("gone", 2);
    assertThat(store.findLeftStaged(nodeGroup, 0, 10)).isEmpty();

    stores.executing().delete(List.of(gone.id(), part.id()));

    assertThat(store.findLeftStaged(nodeGroup, 0, 10)).containsExactly(part.id(), gone.id());
    assertThat(store.findLeftStaged(nodeGroup, part.id(), 10)).containsExactly(gone.id());
    assertThat(store.deleteStaged(part.id())).isTrue();
    assertThat(store.deleteStaged(part.id())).isFalse();
    assertThat(read(top.id()).partsBelow()).as("its parts are no more").isZero();
    assertThat(store.deleteStaged(top.id())).as("an open one").isFalse();
    assertThat(store.find(List.of(live.id()))).hasSize(1);
  }

  @Test
  void workersOfABroadcastAreKeptInOrder() {
    Batch batch = opened("reload", 3);
    assertThat(store.workersOf(batch.id())).isEmpty();
    List<BoundTo> workers =
        IntStream.range(0, 2_000)
            .mapToObj(
                n -> new BoundTo("worker-" + (2_000 - n) + "x".repeat(100), Long.MAX_VALUE - n))
            .toList();

    store.bind(batch.id(), workers);

    assertThat(store.workersOf(batch.id())).isEqualTo(workers);
    assertThat(store.find(List.of(batch.id()))).containsExactly(batch);
    assertThat(store.workersOf(batch.id() + 1)).isEmpty();
  }
}
