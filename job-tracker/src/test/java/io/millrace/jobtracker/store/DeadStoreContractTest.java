package io.millrace.jobtracker.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.jobtracker.domain.outcome.Cause;
import io.millrace.jobtracker.domain.outcome.CauseCode;
import io.millrace.jobtracker.domain.outcome.DeadState;
import io.millrace.jobtracker.domain.outcome.DeadTrigger;
import io.millrace.jobtracker.domain.outcome.DeadTrigger.Replay;
import io.millrace.jobtracker.domain.outcome.DeadTrigger.Settlement;
import io.millrace.jobtracker.domain.trigger.StoredParams;
import io.millrace.jobtracker.domain.trigger.TriggerCore;
import io.millrace.jobtracker.domain.trigger.TriggerKey;
import io.millrace.jobtracker.store.DeadStore.Found;
import io.millrace.jobtracker.store.DeadStore.Place;
import io.millrace.jobtracker.store.DeadStore.Query;
import io.millrace.jobtracker.store.failure.DuplicateKeyException;
import io.millrace.jobtracker.store.order.AgeOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class DeadStoreContractTest extends StoreContract {
  private static final int LOOK_AT = 1_000;

  private DeadStore dead;

  @BeforeEach
  void open() {
    dead = stores.dead();
  }

  private DeadTrigger oneShot(String taskId, long diedAt, StoredParams params) {
    long id = StoreRows.nextId();
    return new DeadTrigger(
        id,
        nodeGroup,
        new TriggerCore(TriggerKey.oneShot(taskId), 7, 0, 4_999, 3),
        100,
        diedAt,
        Cause.of(CauseCode.ATTEMPTS_USED_UP),
        StoreRows.SPEC,
        params,
        null,
        null,
        null);
  }

  private DeadTrigger died(String taskId, long diedAt) {
    return died(taskId, diedAt, null);
  }

  private DeadTrigger died(String taskId, long diedAt, @Nullable Settlement settlement) {
    DeadTrigger row =
        new DeadTrigger(
            StoreRows.nextId(),
            nodeGroup,
            new TriggerCore(TriggerKey.planned(taskId, diedAt - 1), 8, 2, diedAt - 1, 1),
            7,
            diedAt,
            null,
            null,
            StoredParams.NONE,
            5L,
            3,
            settlement);
    dead.append(List.of(row));
    return row;
  }

  private static Settlement discarded() {
    return new Settlement(9_000, "operator/ann", null);
  }

  private static Settlement replayed(long replayId) {
    return new Settlement(9_000, "operator/ann", new Replay(replayId, 4));
  }

  private Query all() {
    return query(null, null);
  }

  private Query query(@Nullable String taskPrefix, @Nullable DeadState state) {
    return new Query(nodeGroup, taskPrefix, state, 0, Long.MAX_VALUE);
  }

  private Found newest(Query query, @Nullable Place behind, int limit) {
    return dead.search(query, AgeOrder.NEWEST_FIRST, behind, limit, LOOK_AT);
  }

  private static List<DeadTrigger> reversed(List<DeadTrigger> rows) {
    List<DeadTrigger> reversed = new ArrayList<>(rows);
    Collections.reverse(reversed);
    return reversed;
  }

  @Test
  void whatDiedIsReadBackWithAllThatAReplayNeeds() {
    DeadTrigger recurring = died("poll", 5_000);
    DeadTrigger oneShot = oneShot("close", 5_001, StoreRows.params("{\"order\":\"42\"}"));
    dead.append(List.of(oneShot));

    assertThat(dead.find(oneShot.id())).contains(oneShot);
    assertThat(dead.find(recurring.id())).contains(recurring);
    assertThat(dead.find(List.of(oneShot.id(), recurring.id(), 1L)))
        .containsExactly(oneShot, recurring);
    assertThat(dead.find(1)).isEmpty();
    assertThat(oneShot.state()).isEqualTo(DeadState.OPEN);
  }

  @Test
  void largeParametersAreReadWithTheOneRowThatIsAskedFor() {
    StoredParams large = StoreRows.params("{\"text\":\"" + "x".repeat(100_000) + "\"}");
    DeadTrigger row = oneShot("close", 5_000, large);
    dead.append(List.of(row));

    assertThat(dead.find(row.id())).contains(row);
    assertThat(dead.find(List.of(row.id())))
        .singleElement()
        .matches(found -> found.params().isLeftInStore());
    assertThat(newest(all(), null, 10).dead())
        .singleElement()
        .matches(found -> found.params().isLeftInStore());
  }

  @Test
  void noExecutionDiesTwice() {
    DeadTrigger row = died("poll", 5_000);

    assertThatThrownBy(() -> dead.append(List.of(row))).isInstanceOf(DuplicateKeyException.class);
  }

  @Test
  void pagesGoFromTheNewestToTheOldestWhateverBecameOfThem() {
    List<DeadTrigger> rows = new ArrayList<>();
    for (int i = 0; i < 7; i++) {
      Settlement settlement =
          i % 3 == 0 ? null : i % 3 == 1 ? discarded() : replayed(StoreRows.nextId());
      rows.add(died("poll", 5_000 + i / 2, settlement));
    }

    List<DeadTrigger> found = new ArrayList<>();
    Found page = newest(all(), null, 3);
    while (page.last() != null) {
      assertThat(page.dead()).hasSize(3);
      found.addAll(page.dead());
      page = newest(all(), page.last(), 3);
    }
    found.addAll(page.dead());

    assertThat(found).isEqualTo(reversed(rows));
    assertThat(dead.search(all(), AgeOrder.OLDEST_FIRST, null, 10, LOOK_AT).dead()).isEqualTo(rows);
    DeadTrigger third = rows.get(2);
    assertThat(
            dead.search(
                    all(), AgeOrder.OLDEST_FIRST, new Place(third.diedAt(), third.id()), 2, LOOK_AT)
                .dead())
        .containsExactly(rows.get(3), rows.get(4));
  }

  @Test
  void searchIsByGroupStateTaskAndTime() {
    DeadTrigger early = died("poll-1", 5_000);
    DeadTrigger late = died("poll-2", 6_000);
    DeadTrigger gone = died("100%_\\sure", 7_000, discarded());
    String first = nodeGroup;
    nodeGroup = newNodeGroup();
    DeadTrigger elsewhere = died("poll-1", 5_500);
    nodeGroup = first;

    assertThat(newest(query(null, DeadState.OPEN), null, 10).dead()).containsExactly(late, early);
    assertThat(newest(query(null, DeadState.DISCARDED), null, 10).dead()).containsExactly(gone);
    assertThat(newest(query(null, DeadState.REPLAYED), null, 10).dead()).isEmpty();
    assertThat(newest(query("poll-", null), null, 10).dead()).containsExactly(late, early);
    assertThat(newest(query("poll-2", null), null, 10).dead()).containsExactly(late);
    assertThat(newest(query("100%_\\", null), null, 10).dead()).containsExactly(gone);
    assertThat(newest(query("1%", null), null, 10).dead()).isEmpty();
    assertThat(newest(query("Poll", null), null, 10).dead()).isEmpty();
    assertThat(newest(new Query(nodeGroup, null, null, 5_001, 7_000), null, 10).dead())
        .containsExactly(late);
    assertThat(newest(new Query(null, "poll-1", DeadState.OPEN, 5_000, 5_501), null, 10).dead())
        .contains(elsewhere, early)
        .doesNotContain(late);
  }

  @Test
  void searchForATaskIdLooksAtSoManyRowsAndSaysHowFarItCame() {
    DeadTrigger wanted = died("wanted", 5_000);
    List<DeadTrigger> others = new ArrayList<>();
    for (int i = 1; i <= 5; i++) {
      others.add(died("other", 5_000 + i));
    }
    Query query = query("wanted", DeadState.OPEN);

    Found first = dead.search(query, AgeOrder.NEWEST_FIRST, null, 10, 3);
    assertThat(first.dead()).isEmpty();
    assertThat(first.last()).isEqualTo(new Place(5_003, others.get(2).id()));
    Found second = dead.search(query, AgeOrder.NEWEST_FIRST, first.last(), 10, 3);
    assertThat(second.dead()).containsExactly(wanted);
    assertThat(second.last()).isEqualTo(new Place(5_000, wanted.id()));
    assertThat(dead.search(query, AgeOrder.NEWEST_FIRST, second.last(), 10, 3))
        .isEqualTo(new Found(List.of(), null));
  }

  @Test
  void countIsBoundedAndGoesOnBehindAPlace() {
    for (int i = 0; i < 5; i++) {
      died(i < 3 ? "poll" : "other", 5_000 + i);
    }
    died("poll", 6_000, discarded());
    Query open = query(null, DeadState.OPEN);

    assertThat(dead.count(open, null, 100)).isEqualTo(5);
    assertThat(dead.count(open, null, 4)).isEqualTo(4);
    assertThat(dead.count(open, new Place(5_001, Long.MAX_VALUE), 100)).isEqualTo(3);
    assertThat(dead.count(query("poll", DeadState.OPEN), null, 100)).isEqualTo(3);
    assertThat(dead.count(query("poll", null), null, 100)).isEqualTo(4);
  }

  @Test
  void oneIsReplayedOnceAlsoAfterItWasDiscarded() {
    DeadTrigger row = died("poll", 5_000);
    Settlement replayed = replayed(77);

    assertThat(dead.settle(row.id(), discarded())).isTrue();
    assertThat(dead.settle(row.id(), discarded())).isFalse();
    assertThat(dead.find(row.id()).orElseThrow().settlement()).isEqualTo(discarded());
    assertThat(dead.isReplayedAs(row.id(), new Replay(77, 4))).isFalse();
    assertThat(dead.settle(row.id(), replayed)).isTrue();
    assertThat(dead.settle(row.id(), replayed(78))).isFalse();
    assertThat(dead.settle(row.id(), discarded())).isFalse();

    assertThat(dead.find(row.id()).orElseThrow().settlement()).isEqualTo(replayed);
    assertThat(dead.isReplayedAs(row.id(), new Replay(77, 4))).isTrue();
    assertThat(dead.isReplayedAs(row.id(), new Replay(78, 4))).isFalse();
    assertThat(dead.settle(1, replayed)).isFalse();
    assertThat(dead.isReplayedAs(1, new Replay(77, 4))).isFalse();
  }

  @RepeatedTest(10)
  void ofManyWhoSettleAtOnceOneDoes() {
    DeadTrigger row = died("poll", 5_000);
    List<Callable<Boolean>> settling = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      long replayId = 70 + i;
      settling.add(
          () ->
              stores
                  .transactions()
                  .inTransaction("settle", () -> dead.settle(row.id(), replayed(replayId))));
    }

    try (Racer racer = new Racer()) {
      assertThat(racer.together(settling)).containsOnlyOnce(true);
    }
  }

  @Test
  void rowsGoByTheirIdsAndByWhenTheyDied() {
    DeadTrigger old = died("poll", 1_000, discarded());
    DeadTrigger older = died("poll", 999);
    DeadTrigger young = died("poll", 1_001);

    assertThat(dead.findDiedBefore(1_001, 1_000))
        .contains(old.id(), older.id())
        .doesNotContain(young.id());
    assertThat(dead.delete(List.of(old.id(), older.id(), 1L))).isEqualTo(2);

    assertThat(newest(all(), null, 10).dead()).containsExactly(young);
  }
}
