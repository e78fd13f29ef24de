package io.millrace.jobtracker.store;

import static io.millrace.jobtracker.store.StoreRows.oneShot;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.store.failure.DuplicateKeyException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two trackers at one waiting table at the same time. */
class WaitingStoreRacesTest extends StoreContract {
  private static final int ROWS = 400;
  private static final int CLAIM = 16;

  private final Racer racer = new Racer();
  private Stores other;

  @BeforeEach
  void openAnotherTracker() {
    other = database.anotherTracker();
  }

  @AfterEach
  void stopRacing() {
    racer.close();
  }

  @Test
  void eachRowIsDeletedByExactlyOneOfTwoMovers() {
    List<Long> ids = insertRows();

    List<List<Long>> won =
        racer.together(List.of(deletingEach(stores, ids, 1), deletingEach(other, ids, 2)));

    assertThat(concatenated(won)).containsExactlyInAnyOrderElementsOf(ids);
  }

  @Test
  void shortCountRolledBackLeavesEachRowToExactlyOneOfTwoMovers() {
    List<Long> ids = insertRows();

    List<List<Long>> won =
        racer.together(List.of(deletingMany(stores, ids, 3), deletingMany(other, ids, 4)));

    assertThat(concatenated(won)).containsExactlyInAnyOrderElementsOf(ids);
  }

  @Test
  void insertWaitsForAnUncommittedOneOfItsKeyAndIsThenDuplicate() {
    CountDownLatch mayCommit = new CountDownLatch(1);
    Future<Boolean> first = insertThenWait("a", mayCommit, false);
    Future<Boolean> second = insertOfOther("a");
    await().until(() -> database.busySessions() == 1);

    mayCommit.countDown();

    assertThat(Racer.resultOf(first)).isTrue();
    assertThatThrownBy(() -> Racer.resultOf(second)).isInstanceOf(DuplicateKeyException.class);
  }

  @Test
  void insertWaitsForAnUncommittedOneOfItsKeyAndTakesItsPlaceOnRollback() {
    CountDownLatch mayRollBack = new CountDownLatch(1);
    Future<Boolean> first = insertThenWait("a", mayRollBack, true);
    Future<Boolean> second = insertOfOther("a");
    await().until(() -> database.busySessions() == 1);

    mayRollBack.countDown();

    assertThatThrownBy(() -> Racer.resultOf(first)).hasMessage("on purpose");
    assertThat(Racer.resultOf(second)).isTrue();
    assertThat(stores.waiting().findOneShots(nodeGroup, List.of("a"))).hasSize(1);
  }

  /** Who asks what became of a lost commit must not be told "nothing" while it may yet commit. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void lockWaitsForWhoeverHasDeletedTheRowAndSeesWhatCameOfIt(boolean rollsBack) {
    long id = insertRows().get(0);
    CountDownLatch mayEnd = new CountDownLatch(1);
    CountDownLatch hasDeleted = new CountDownLatch(1);
    Future<Boolean> deleting =
        racer.start(
            () ->
                stores
                    .transactions()
                    .inTransaction(
                        "delete and wait",
                        () -> {
                          stores.waiting().delete(nodeGroup, List.of(id));
                          hasDeleted.countDown();
                          Racer.waitFor(mayEnd);
                          if (rollsBack) {
                            throw new IllegalStateException("on purpose");
                          }
                          return true;
                        }));
    Racer.waitFor(hasDeleted);
    Future<Boolean> isThere =
        racer.start(
            () ->
                other
                    .transactions()
                    .inTransaction("look", () -> other.waiting().lock(nodeGroup, id)));
    await().until(() -> database.busySessions() == 1);

    mayEnd.countDown();

    assertThat(Racer.resultOf(isThere)).isEqualTo(rollsBack);
    await().until(deleting::isDone);
  }

  @Test
  void deleteDoesNotWaitForRowsThatAnotherIsInserting() {
    List<Long> ids = insertRows().subList(0, ROWS / 2);
    CountDownLatch mayCommit = new CountDownLatch(1);
    Future<Boolean> inserting = insertThenWait("a", mayCommit, false);

    int deleted = Racer.resultOf(racer.start(() -> other.waiting().delete(nodeGroup, ids)));

    assertThat(deleted).isEqualTo(ids.size());
    assertThat(inserting).isNotDone();
    mayCommit.countDown();
    assertThat(Racer.resultOf(inserting)).isTrue();
  }

  @Test
  void manyInsertersOfOneKeyLeaveOneRow() {
    List<Callable<Boolean>> inserters =
        IntStream.range(0, 6)
            .<Callable<Boolean>>mapToObj(
                i -> () -> insertUnlessDuplicate(i % 2 == 0 ? stores : other))
            .toList();

    List<Boolean> inserted = racer.together(inserters);

    assertThat(inserted).containsOnlyOnce(true);
    assertThat(stores.waiting().findByTask(nodeGroup, "a")).hasSize(1);
  }

  private List<Long> insertRows() {
    List<WaitingTrigger> rows =
        IntStream.range(0, ROWS).mapToObj(i -> oneShot("task-" + i)).toList();
    stores.waiting().insert(nodeGroup, rows);
    return rows.stream().map(WaitingTrigger::id).toList();
  }

  private Callable<List<Long>> deletingEach(Stores tracker, List<Long> ids, int seed) {
    return () -> {
      List<Long> won = new ArrayList<>();
      for (List<Long> claim : claims(ids, seed)) {
        won.addAll(
            tracker
                .transactions()
                .inTransaction("claim", () -> tracker.waiting().deleteEach(nodeGroup, claim)));
      }
      return won;
    };
  }

  private Callable<List<Long>> deletingMany(Stores tracker, List<Long> ids, int seed) {
    return () -> {
      List<Long> won = new ArrayList<>();
      for (List<Long> claim : claims(ids, seed)) {
        won.addAll(deleteAllOrEach(tracker, claim));
      }
      return won;
    };
  }

  private List<Long> deleteAllOrEach(Stores tracker, List<Long> claim) {
    try {
      tracker
          .transactions()
          .run(
              "claim all",
              () -> {
                if (tracker.waiting().delete(nodeGroup, claim) < claim.size()) {
                  throw new ShortCount();
                }
              });
      return claim;
    } catch (ShortCount e) {
      return tracker
          .transactions()
          .inTransaction(
              "claim each", () -> List.copyOf(tracker.waiting().deleteEach(nodeGroup, claim)));
    }
  }

  /** All ids, in an order of the mover's own, a claim at a time. */
  private static List<List<Long>> claims(List<Long> ids, int seed) {
    List<Long> shuffled = new ArrayList<>(ids);
    Collections.shuffle(shuffled, new Random(seed));
    return IntStream.range(0, ids.size() / CLAIM)
        .mapToObj(i -> shuffled.subList(i * CLAIM, (i + 1) * CLAIM))
        .toList();
  }

  private static List<Long> concatenated(List<List<Long>> lists) {
    return lists.stream().flatMap(List::stream).toList();
  }

  private Future<Boolean> insertThenWait(String taskId, CountDownLatch latch, boolean fails) {
    CountDownLatch inserted = new CountDownLatch(1);
    Future<Boolean> result =
        racer.start(
            () ->
                stores
                    .transactions()
                    .inTransaction(
                        "insert and wait",
                        () -> {
                          stores.waiting().insert(nodeGroup, List.of(oneShot(taskId)));
                          inserted.countDown();
                          Racer.waitFor(latch);
                          if (fails) {
                            throw new IllegalStateException("on purpose");
                          }
                          return true;
                        }));
    Racer.waitFor(inserted);
    return result;
  }

  private Future<Boolean> insertOfOther(String taskId) {
    return racer.start(
        () ->
            other
                .transactions()
                .inTransaction(
                    "insert",
                    () -> {
                      other.waiting().insert(nodeGroup, List.of(oneShot(taskId)));
                      return true;
                    }));
  }

  private boolean insertUnlessDuplicate(Stores tracker) {
    try {
      tracker.waiting().insert(nodeGroup, List.of(oneShot("a")));
      return true;
    } catch (DuplicateKeyException e) {
      return false;
    }
  }

  private static final class ShortCount extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }
}
