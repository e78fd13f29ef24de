package io.millrace.jobtracker.store;

import static io.millrace.jobtracker.store.StoreRows.due;
import static io.millrace.jobtracker.store.StoreRows.nextId;
import static io.millrace.jobtracker.store.StoreRows.oneShot;
import static io.millrace.jobtracker.store.StoreRows.params;
import static io.millrace.jobtracker.store.StoreRows.planned;
import static io.millrace.jobtracker.store.StoreRows.waiting;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.jobtracker.domain.trigger.Placement;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.Submission;
import io.millrace.jobtracker.domain.trigger.TriggerCore;
import io.millrace.jobtracker.domain.trigger.TriggerKey;
import io.millrace.jobtracker.domain.trigger.WaitingTrigger;
import io.millrace.jobtracker.store.WaitingStore.DuePlace;
import io.millrace.jobtracker.store.WaitingStore.ListedTrigger;
import io.millrace.jobtracker.store.WaitingStore.Tally;
import io.millrace.jobtracker.store.failure.DuplicateKeyException;
import io.millrace.jobtracker.store.failure.StoreException;
import io.millrace.jobtracker.store.order.Direction;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WaitingStoreContractTest extends StoreContract {
  private WaitingStore store;

  @BeforeEach
  void takeStore() {
    store = stores.waiting();
  }

  /** A row of a lane, with the key of a worker. */
  private static WaitingTrigger inLane(int lane, String taskId, int priority, long dueAt) {
    WaitingTrigger plain = due(taskId, priority, dueAt);
    return new WaitingTrigger(
        plain.id(),
        plain.core(),
        plain.dueAt(),
        plain.priority(),
        plain.generatedAt(),
        plain.spec(),
        plain.params(),
        plain.begun(),
        plain.submission(),
        plain.nextAt(),
        new Placement(lane, "customer-7"));
  }

  @Test
  void lanesFollowOneAnotherAndAreReadApart() {
    WaitingTrigger plain = due("a", 200, 3);
    WaitingTrigger other = inLane(2, "b", 0, 1);
    WaitingTrigger last = inLane(300, "c", 255, 2);
    store.insert(nodeGroup, List.of(last, plain, other));

    assertThat(store.nextLevel(nodeGroup, -1)).contains(new WaitingStore.Level(200, 3));
    assertThat(store.nextLevel(nodeGroup, 200)).contains(new WaitingStore.Level(2 * 256, 1));
    assertThat(store.nextLevel(nodeGroup, 255)).contains(new WaitingStore.Level(2 * 256, 1));
    assertThat(store.nextLevel(nodeGroup, 2 * 256))
        .contains(new WaitingStore.Level(WaitingStore.Level.numberOf(300, 255), 2));
    assertThat(store.nextLevel(nodeGroup, 300 * 256 + 255)).isEmpty();
    assertThat(everyDue(2 * 256)).containsExactly(other);
    assertThat(everyDue(300 * 256 + 255)).containsExactly(last);
    assertThat(everyDue(0)).isEmpty();
    assertThat(store.readDueAt(nodeGroup, 2 * 256, 1, 0, 10)).containsExactly(other);
    assertThat(store.countDue(nodeGroup, 10, 100)).isEqualTo(3);
    assertThat(store.countDue(nodeGroup, 2, 10, 100)).isEqualTo(1);
    assertThat(store.countDue(nodeGroup, 1, 10, 100)).isZero();
    assertThat(store.nextDue(nodeGroup, 1)).hasValue(2);
  }

  private List<WaitingTrigger> everyDue(int priority) {
    return store.readDue(nodeGroup, priority, 0, Long.MAX_VALUE, 10_000);
  }

  private static List<Long> idsOf(List<WaitingTrigger> triggers) {
    return triggers.stream().map(WaitingTrigger::id).toList();
  }

  @Test
  void oneShotComesBackAsItWasInserted() {
    WaitingTrigger trigger = oneShot("close:42", params("{\"orderId\":\"42\"}"));

    store.insert(nodeGroup, List.of(trigger));

    assertThat(everyDue(100)).containsExactly(trigger);
  }

  @Test
  void triggerOfRecurringJobComesBackAsItWasInserted() {
    WaitingTrigger trigger = planned(nextId(), "report", 5_000);

    store.insert(nodeGroup, List.of(trigger));

    assertThat(everyDue(100)).containsExactly(trigger);
  }

  @Test
  void triggerKeepsWhenTheNextFireTimeOfItsJobIsDue() {
    WaitingTrigger trigger =
        new WaitingTrigger(
            nextId(),
            new TriggerCore(TriggerKey.planned("report", 5_000), nextId(), 2, 5_000, 1),
            5_000,
            100,
            4_000,
            null,
            StoredParams.NONE,
            false,
            null,
            6_000L);

    store.insert(nodeGroup, List.of(trigger));

    assertThat(everyDue(100)).containsExactly(trigger);
  }

  @Test
  void extraRunComesBackAsItWasInserted() {
    WaitingTrigger extra =
        new WaitingTrigger(
            nextId(),
            new TriggerCore(TriggerKey.extra("report", 5_000, 3), nextId(), 2, 5_000, 1),
            5_000,
            100,
            4_000,
            null,
            params("{\"a\":\"b\"}"),
            true,
            new Submission("submission-1", "client-ä"),
            null);

    store.insert(nodeGroup, List.of(extra));

    assertThat(everyDue(100)).containsExactly(extra);
  }

  @Test
  void heldTriggersOfATaskAreFoundInOrder() {
    long job = nextId();
    List<WaitingTrigger> held =
        IntStream.of(3, 1, 2)
            .mapToObj(i -> planned(job, "report", i * 1_000L).held(nextId()))
            .toList();
    store.insert(nodeGroup, held);
    store.insert(
        nodeGroup,
        List.of(
            planned(job, "report", 500),
            planned(nextId(), "other", 1_000).held(nextId()),
            planned(job, "report", 9_000).calledUp(nextId(), 9_000)));

    assertThat(store.findHeld(nodeGroup, "report", 10))
        .containsExactly(held.get(1), held.get(2), held.get(0));
    assertThat(store.findHeld(nodeGroup, "report", 1)).containsExactly(held.get(1));
    assertThat(store.findHeld(nodeGroup, "none", 10)).isEmpty();
  }

  @Test
  void insertsAndDeletesAnyNumberOfRows() {
    List<WaitingTrigger> triggers =
        IntStream.range(0, 2_500).mapToObj(i -> due("task-" + i, 100, i + 1)).toList();

    store.insert(nodeGroup, triggers);

    assertThat(everyDue(100)).isEqualTo(triggers);
    assertThat(store.delete(nodeGroup, idsOf(triggers))).isEqualTo(2_500);
    assertThat(everyDue(100)).isEmpty();
  }

  @Test
  void nothingToInsertOrDeleteIsHarmless() {
    store.insert(nodeGroup, List.of());

    assertThat(store.delete(nodeGroup, List.of())).isZero();
    assertThat(store.deleteEach(nodeGroup, List.of())).isEmpty();
    assertThat(store.readParams(nodeGroup, List.of())).isEmpty();
    assertThat(store.findOneShots(nodeGroup, List.of())).isEmpty();
  }

  @Test
  void keyThatWaitsAlreadyIsDuplicateAndLeavesNothingBehind() {
    WaitingTrigger first = oneShot("a");
    store.insert(nodeGroup, List.of(first));

    assertThatThrownBy(
            () -> store.insert(nodeGroup, List.of(oneShot("b"), oneShot("a"), oneShot("c"))))
        .isInstanceOf(DuplicateKeyException.class)
        .hasMessageContaining(nodeGroup);

    assertThat(everyDue(100)).containsExactly(first);
  }

  @Test
  void keyIsFreeAgainOnceItsRowIsDeleted() {
    WaitingTrigger first = oneShot("a");
    WaitingTrigger second = oneShot("a");
    store.insert(nodeGroup, List.of(first));
    store.delete(nodeGroup, List.of(first.id()));

    store.insert(nodeGroup, List.of(second));

    assertThat(everyDue(100)).containsExactly(second);
  }

  @Test
  void keyIsUniqueInItsNodeGroupOnly() {
    String other = newNodeGroup();
    store.insert(nodeGroup, List.of(oneShot("a")));

    store.insert(other, List.of(oneShot("a")));

    assertThat(store.findOneShots(other, List.of("a"))).hasSize(1);
  }

  @Test
  void taskIdsThatDifferInCaseOrAccentAreDifferent() {
    store.insert(
        nodeGroup, List.of(oneShot("cafe"), oneShot("Cafe"), oneShot("café"), oneShot("ca fe")));

    assertThat(store.findOneShots(nodeGroup, List.of("Cafe")))
        .extracting(trigger -> trigger.key().taskId())
        .containsExactly("Cafe");
  }

  @Test
  void taskIdOf128CharactersOutsideTheBasicPlaneFits() {
    String taskId = "🌾".repeat(128);

    store.insert(nodeGroup, List.of(oneShot(taskId)));

    assertThat(store.findByTask(nodeGroup, taskId)).hasSize(1);
  }

  @Test
  void deleteCountsOnlyRowsThatWereThere() {
    WaitingTrigger there = oneShot("a");
    store.insert(nodeGroup, List.of(there));

    assertThat(store.delete(nodeGroup, List.of(there.id(), there.id(), nextId()))).isEqualTo(1);
    assertThat(store.delete(nodeGroup, List.of(there.id()))).isZero();
  }

  @Test
  void deleteEachNamesTheRowsThatWereThere() {
    List<WaitingTrigger> there = List.of(oneShot("a"), oneShot("b"), oneShot("c"));
    store.insert(nodeGroup, there);
    long gone = nextId();

    assertThat(
            store.deleteEach(
                nodeGroup, List.of(there.get(2).id(), gone, there.get(0).id(), there.get(0).id())))
        .containsExactlyInAnyOrder(there.get(0).id(), there.get(2).id());
    assertThat(everyDue(100)).containsExactly(there.get(1));
  }

  @Test
  void readsWhatFallsDueAfterOneInstantAndUntilAnother() {
    WaitingTrigger atStart = due("at start", 100, 10);
    WaitingTrigger inside = due("inside", 100, 11);
    WaitingTrigger atEnd = due("at end", 100, 20);
    WaitingTrigger later = due("later", 100, 21);
    store.insert(nodeGroup, List.of(later, atEnd, inside, atStart));

    assertThat(store.readDue(nodeGroup, 100, 10, 20, 10)).containsExactly(inside, atEnd);
  }

  @Test
  void readsInOrderOfDueTimeAndIdUpToTheLimitAndOfOnePriority() {
    WaitingTrigger first = due("first", 100, 10);
    WaitingTrigger second = due("second", 100, 10);
    WaitingTrigger third = due("third", 100, 9);
    WaitingTrigger urgent = due("urgent", 99, 10);
    store.insert(nodeGroup, List.of(second, urgent, first, third));

    assertThat(store.readDue(nodeGroup, 100, 0, 20, 2)).containsExactly(third, first);
    assertThat(everyDue(100)).containsExactly(third, first, second);
  }

  @Test
  void readsOnBehindARowOfOneInstantUpToTheLimit() {
    WaitingTrigger first = due("first", 100, 10);
    WaitingTrigger second = due("second", 100, 10);
    WaitingTrigger third = due("third", 100, 10);
    WaitingTrigger urgent = due("urgent", 99, 10);
    WaitingTrigger before = due("before", 100, 9);
    WaitingTrigger after = due("after", 100, 11);
    store.insert(nodeGroup, List.of(third, after, second, urgent, first, before));

    assertThat(store.readDueAt(nodeGroup, 100, 10, first.id(), 10)).containsExactly(second, third);
    assertThat(store.readDueAt(nodeGroup, 100, 10, first.id() - 1, 2))
        .containsExactly(first, second);
    assertThat(store.readDueAt(nodeGroup, 100, 10, third.id(), 10)).isEmpty();
  }

  @Test
  void readsParametersAlongOnlyWhileTheyAreSmall() {
    String small = "{\"a\":\"" + "x".repeat(StoredParams.INLINE_BYTES - 8) + "\"}";
    String large = "{\"a\":\"" + "x".repeat(StoredParams.INLINE_BYTES - 7) + "\"}";
    WaitingTrigger withSmall = oneShot("small", params(small));
    WaitingTrigger withLarge = oneShot("large", params(large));
    WaitingTrigger without = oneShot("none");
    store.insert(nodeGroup, List.of(withSmall, withLarge, without));

    List<WaitingTrigger> read = everyDue(100);

    assertThat(read.get(0).params()).isEqualTo(params(small));
    assertThat(read.get(1).params()).isEqualTo(new StoredParams(large.length(), null));
    assertThat(store.readParams(nodeGroup, idsOf(read)))
        .isEqualTo(Map.of(withSmall.id(), small, withLarge.id(), large));
  }

  /** More in all than a server takes in one packet unless told otherwise. */
  @Test
  void megabytesOfFourByteCharactersComeBackWhole() {
    String json = "{\"field\":\"" + "🌾".repeat(1 << 18) + "\"}";
    List<WaitingTrigger> triggers =
        IntStream.range(0, 20).mapToObj(i -> oneShot("task-" + i, params(json))).toList();

    store.insert(nodeGroup, triggers);

    assertThat(store.readParams(nodeGroup, idsOf(triggers)).values())
        .hasSize(20)
        .allMatch(json::equals);
  }

  @Test
  void parametersThatWereNeverReadCannotBeWritten() {
    WaitingTrigger halfRead = oneShot("a", new StoredParams(5_000, null));

    assertThatThrownBy(() -> store.insert(nodeGroup, List.of(halfRead)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a@0#0");
    assertThat(everyDue(100)).isEmpty();
  }

  @Test
  void skipsFromPriorityToPriority() {
    assertThat(store.nextLevel(nodeGroup, -1)).isEmpty();

    store.insert(nodeGroup, List.of(due("a", 7, 3), due("b", 255, 1), due("c", 7, 2)));

    assertThat(store.nextLevel(nodeGroup, -1)).contains(new WaitingStore.Level(7, 2));
    assertThat(store.nextLevel(nodeGroup, 7)).contains(new WaitingStore.Level(255, 1));
    assertThat(store.nextLevel(nodeGroup, 255)).isEmpty();
  }

  @Test
  void findsOneShotsButNotWhatASchedulePlanned() {
    WaitingTrigger one = oneShot("one");
    WaitingTrigger two = oneShot("two");
    WaitingTrigger runNow = waiting(new TriggerKey("one", 0, 1), 100, 1, StoredParams.NONE);
    store.insert(nodeGroup, List.of(one, two, runNow, planned(nextId(), "report", 5_000)));

    assertThat(store.findOneShots(nodeGroup, List.of("one", "two", "report", "none")))
        .containsExactlyInAnyOrder(one, two);
  }

  @Test
  void findsEveryRowOfATaskInOrderOfPlannedTimeWithoutParameters() {
    long job = nextId();
    WaitingTrigger late = planned(job, "report", 9_000);
    WaitingTrigger early = planned(job, "report", 5_000);
    WaitingTrigger withParams =
        waiting(new TriggerKey("report", 5_000, 1), 100, 1, params("{\"a\":\"b\"}"));
    store.insert(nodeGroup, List.of(late, withParams, early, oneShot("other")));

    List<WaitingTrigger> found = store.findByTask(nodeGroup, "report");

    assertThat(idsOf(found)).containsExactly(early.id(), withParams.id(), late.id());
    assertThat(found.get(1).params().isLeftInStore()).isTrue();
  }

  @Test
  void findsWhatSchedulesPlannedAndNobodyHasBegun() {
    WaitingTrigger early = planned(7, "a", 1_000);
    WaitingTrigger late = planned(7, "a", 1_999);
    WaitingTrigger tooLate = planned(7, "a", 2_000);
    WaitingTrigger begun = begun(planned(7, "a", 1_500));
    WaitingTrigger held = planned(7, "a", 1_600).held(nextId());
    WaitingTrigger ofAnother = planned(8, "b", 1_001);
    store.insert(
        nodeGroup,
        List.of(late, begun, tooLate, held, ofAnother, early, oneShot("a"), oneShot("c")));

    assertThat(store.findUnbegun(nodeGroup, List.of("a", "b", "none"), 2_000, 10))
        .containsExactlyInAnyOrder(early, late, ofAnother);
    assertThat(store.findUnbegun(nodeGroup, List.of("a", "b"), 2_000, 2)).hasSize(2);
    assertThat(store.findUnbegun(nodeGroup, List.of(), 2_000, 2)).isEmpty();
    assertThat(store.findOldestUnbegun(nodeGroup, "a", 2_000, 10)).containsExactly(early, late);
    assertThat(store.findOldestUnbegun(nodeGroup, "a", 2_000, 1)).containsExactly(early);
    assertThat(store.findOldestUnbegun(nodeGroup, "a", 1_000, 10)).isEmpty();
  }

  /** An extra run is asked for, not planned. */
  @Test
  void findsNoExtraRunAmongWhatSchedulesPlanned() {
    WaitingTrigger planned = planned(7, "a", 1_000);
    WaitingTrigger extra =
        new WaitingTrigger(
            nextId(),
            new TriggerCore(TriggerKey.extra("a", 1_001, 1), 7, 1, 1_001, 1),
            1_001,
            100,
            4_000,
            null,
            StoredParams.NONE,
            false,
            null,
            null);
    store.insert(nodeGroup, List.of(planned, extra));

    assertThat(store.findUnbegun(nodeGroup, List.of("a"), 2_000, 10)).containsExactly(planned);
    assertThat(store.findOldestUnbegun(nodeGroup, "a", 2_000, 10)).containsExactly(planned);
  }

  private static WaitingTrigger begun(WaitingTrigger trigger) {
    return trigger.calledUp(nextId(), trigger.dueAt());
  }

  @Test
  void countsDueRowsOfAllPrioritiesUpToTheBound() {
    store.insert(
        nodeGroup, List.of(due("a", 1, 10), due("b", 1, 20), due("c", 2, 10), due("d", 3, 99)));

    assertThat(store.countDue(nodeGroup, 20, 100)).isEqualTo(3);
    assertThat(store.countDue(nodeGroup, 20, 2)).isEqualTo(2);
    assertThat(store.countDue(nodeGroup, 9, 100)).isZero();
  }

  @Test
  void tellsWhenTheNextFallsDueWhateverItsPriority() {
    assertThat(store.nextDue(nodeGroup, 0)).isEmpty();
    store.insert(
        nodeGroup,
        List.of(
            due("a", 1, 10),
            due("b", 1, 40),
            due("c", 2, 30),
            due("d", 3, WaitingTrigger.HELD),
            due("e", 4, 50)));

    assertThat(store.nextDue(nodeGroup, 9)).hasValue(10);
    assertThat(store.nextDue(nodeGroup, 10)).hasValue(30);
    assertThat(store.nextDue(nodeGroup, 30)).hasValue(40);
    assertThat(store.nextDue(nodeGroup, 49)).hasValue(50);
    assertThat(store.nextDue(nodeGroup, 50)).isEmpty();
  }

  @Test
  void takesPartInTheTransactionOfItsThread() {
    assertThatThrownBy(
            () ->
                stores
                    .transactions()
                    .run(
                        "insert and fail",
                        () -> {
                          store.insert(nodeGroup, List.of(oneShot("a")));
                          throw new IllegalStateException("on purpose");
                        }))
        .hasMessage("on purpose");

    assertThat(everyDue(100)).isEmpty();
  }

  @Test
  void nodeGroupWithoutTableIsAnErrorAndNotAnEmptyQueue() {
    assertThatThrownBy(() -> store.readDue("never-seen", 100, 0, 10, 10))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("never-seen");
    assertThatThrownBy(() -> store.insert("never-seen", List.of(oneShot("a"))))
        .isInstanceOf(StoreException.class);
  }

  @Test
  void nameThatNoNodeGroupMayHaveNeverReachesTheDatabase() {
    assertThatThrownBy(() -> store.findByTask("x; DROP TABLE jt_job", "a"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void nextTriggersOfATaskComeInOrderOfPlannedTime() {
    long job = nextId();
    WaitingTrigger once = oneShot("a", params("{\"orderId\":\"42\"}"));
    WaitingTrigger first = planned(job, "a", 5_000);
    WaitingTrigger extra = waiting(TriggerKey.extra("a", 5_000, 1), 100, 1, StoredParams.NONE);
    WaitingTrigger second = planned(job, "a", 6_000);
    store.insert(nodeGroup, List.of(second, extra, once, first, planned(nextId(), "b", 5_000)));

    assertThat(idsOf(store.findByTask(nodeGroup, "a", 0, 3)))
        .containsExactly(once.id(), first.id(), extra.id());
    assertThat(store.findByTask(nodeGroup, "a", 5_001, 10)).containsExactly(second);
    assertThat(store.findByTask(nodeGroup, "a", 0, 1).get(0).params().json()).isNull();
    assertThat(store.findByTask(nodeGroup, "none", 0, 10)).isEmpty();
  }

  @Test
  void oneShotsNearATaskIdAreThoseOnBothSides() {
    store.insert(
        nodeGroup, List.of(oneShot("b"), oneShot("c"), oneShot("d"), oneShot("e"), oneShot("f")));
    store.insert(nodeGroup, List.of(planned(nextId(), "dd", 5_000)));

    assertThat(store.oneShotsNear(nodeGroup, "d", 100)).containsExactly("b", "c", "d", "e", "f");
    assertThat(store.oneShotsNear(nodeGroup, "d", 2))
        .as("the recurring job's row is one of the two upwards")
        .containsExactly("b", "c", "d");
    assertThat(store.oneShotsNear(newNodeGroup(), "d", 100)).isEmpty();
  }

  @Test
  void listsRowsInOrderOfIdPageByPage() {
    WaitingTrigger one = oneShot("a");
    WaitingTrigger two = planned(nextId(), "report", 5_000);
    WaitingTrigger three = planned(two.jobId(), "report", 4_000);
    store.insert(nodeGroup, List.of(three, one, two));

    assertThat(store.list(nodeGroup, Long.MIN_VALUE, 2))
        .containsExactly(
            new ListedTrigger(one.id(), one.key(), one.id(), 0),
            new ListedTrigger(two.id(), two.key(), two.jobId(), 1));
    assertThat(store.list(nodeGroup, two.id(), 2))
        .extracting(ListedTrigger::id)
        .containsExactly(three.id());
    assertThat(store.list(nodeGroup, three.id(), 2)).isEmpty();
  }

  @Test
  void talliesTriggersOfRecurringJobsByTask() {
    long job = nextId();
    store.insert(
        nodeGroup,
        List.of(
            planned(job, "report", 5_000),
            planned(job, "report", 6_000),
            planned(job, "report", 7_000),
            planned(job, "report", 8_000),
            planned(job, "report", 4_000).calledUp(nextId(), 4_500),
            planned(job, "report", 4_100).held(nextId()),
            planned(job, "report", 4_200).calledUp(nextId(), 1).held(nextId()),
            extra(job, "report", 7_000),
            planned(job, "other", 6_000),
            oneShot("once")));

    assertThat(store.tally(nodeGroup, List.of("report", "once", "none"), 5_000, 7_000))
        .containsExactly(new Tally("report", 7, 2, 1, 2));
    assertThat(store.tally(nodeGroup, List.of("other", "report"), 0, 5_000))
        .containsExactlyInAnyOrder(new Tally("report", 7, 4, 1, 2), new Tally("other", 1, 0, 0, 0));
    assertThat(store.tally(nodeGroup, List.of(), 0, 5_000)).isEmpty();
  }

  private static WaitingTrigger extra(long jobId, String taskId, long askedAt) {
    return new WaitingTrigger(
        nextId(),
        new TriggerCore(TriggerKey.extra(taskId, askedAt, 1), jobId, 1, askedAt, 1),
        askedAt,
        100,
        askedAt,
        null,
        StoredParams.NONE,
        false,
        new Submission("of-run", "client-1"),
        null);
  }

  @Test
  void triggersOfOneTaskArePagedByTheirIdentity() {
    WaitingTrigger oneShot = oneShot("a");
    WaitingTrigger early = planned(7, "a", 5_000);
    WaitingTrigger extra = waiting(TriggerKey.extra("a", 5_000, 1), 100, 5_000, StoredParams.NONE);
    WaitingTrigger late = planned(7, "a", 9_000);
    store.insert(nodeGroup, List.of(late, extra, early, oneShot, planned(8, "b", 5_000)));

    assertThat(idsOf(store.readByTask(nodeGroup, new TriggerKey("a", 0, -1), 10)))
        .containsExactly(oneShot.id(), early.id(), extra.id(), late.id());
    assertThat(idsOf(store.readByTask(nodeGroup, oneShot.key(), 1))).containsExactly(early.id());
    assertThat(idsOf(store.readByTask(nodeGroup, early.key(), 10)))
        .containsExactly(extra.id(), late.id());
    assertThat(store.readByTask(nodeGroup, late.key(), 10)).isEmpty();
  }

  @Test
  void triggersOfOneTaskArePagedBackwards() {
    WaitingTrigger early = planned(7, "a", 5_000);
    WaitingTrigger extra = waiting(TriggerKey.extra("a", 5_000, 1), 100, 5_000, StoredParams.NONE);
    WaitingTrigger late = planned(7, "a", 9_000);
    store.insert(nodeGroup, List.of(late, extra, early, planned(8, "b", 5_000)));
    TriggerKey end = new TriggerKey("a", Long.MAX_VALUE, Integer.MAX_VALUE);

    assertThat(idsOf(store.readByTask(nodeGroup, Direction.DESCENDING, end, 10)))
        .containsExactly(late.id(), extra.id(), early.id());
    assertThat(idsOf(store.readByTask(nodeGroup, Direction.DESCENDING, extra.key(), 10)))
        .containsExactly(early.id());
  }

  @Test
  void rowsOfALevelAreReadByDueTimeInBothDirections() {
    WaitingTrigger first = due("a", 100, 5_000);
    WaitingTrigger second = due("b", 100, 5_000);
    WaitingTrigger third = due("c", 100, 5_000);
    WaitingTrigger later = due("d", 100, 6_000);
    WaitingTrigger held = due("e", 100, WaitingTrigger.HELD);
    store.insert(nodeGroup, List.of(held, later, third, second, first, due("f", 101, 5_000)));
    List<Long> ascending = idsOf(List.of(first, second, third, later, held));

    for (int limit = 1; limit <= 6; limit++) {
      assertThat(byDue(Direction.ASCENDING, limit)).isEqualTo(ascending);
      List<Long> descending = byDue(Direction.DESCENDING, limit);
      Collections.reverse(descending);
      assertThat(descending).isEqualTo(ascending);
    }
  }

  private List<Long> byDue(Direction direction, int limit) {
    List<Long> ids = new ArrayList<>();
    DuePlace place = DuePlace.start(direction);
    List<WaitingTrigger> page;
    do {
      page = store.readByDue(nodeGroup, 100, direction, place, limit);
      ids.addAll(idsOf(page));
      if (!page.isEmpty()) {
        WaitingTrigger last = page.get(page.size() - 1);
        place = new DuePlace(last.dueAt(), last.id());
      }
    } while (page.size() == limit);
    return ids;
  }
}
