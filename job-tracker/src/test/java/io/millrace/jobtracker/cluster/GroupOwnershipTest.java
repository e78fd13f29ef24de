package io.millrace.jobtracker.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.jobtracker.fixture.HandDrivenTracker;
import io.millrace.jobtracker.fixture.ServiceTest;
import io.millrace.jobtracker.store.BelievedLeases;
import io.millrace.jobtracker.store.NodeGroupStore.NodeGroup;
import io.millrace.jobtracker.store.failure.StoreUnavailableException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Three trackers over one store, each driven by hand; the group of the fixture is left out. */
class GroupOwnershipTest extends ServiceTest {
  private static final Duration LEASE = Duration.ofSeconds(10);
  private static final Duration UNUSED = Duration.ofDays(7);

  private final List<String> told = new ArrayList<>();
  private final Set<String> pulledFor = new HashSet<>();
  private CompletableFuture<Boolean> answer = CompletableFuture.completedFuture(true);
  private Node one;
  private Node two;

  @BeforeEach
  void openNodes() {
    stores.nodeGroups().release("orders", 1, tracker.group().epoch());
    one = new Node("one");
    two = new Node("two");
  }

  @Test
  void freeGroupIsServedByWhoeverComesFirst() {
    one.run();
    two.run();

    assertThat(one.served).containsOnlyKeys("orders");
    assertThat(two.served).isEmpty();
    assertThat(owner("orders")).isEqualTo(one.number());
  }

  @Test
  void groupThatAppearsLaterIsServedToo() {
    two.lease.release();
    one.run();
    stores.nodeGroups().ensure("billing", 10);

    GroupTransfers.Changed changed = one.run();

    assertThat(changed.taken()).containsExactly("billing");
    assertThat(one.served).containsOnlyKeys("billing", "orders");
    assertThat(one.run().isNothing()).isTrue();
  }

  @Test
  void groupThatIsRemovedIsLeftAndServedAnewWhenItComesBack() {
    two.lease.release();
    stores.nodeGroups().ensure("billing", 10);
    one.run();
    byHand("DELETE FROM jt_node_group WHERE name = 'billing'");

    assertThat(one.run().lost()).containsExactly("billing");
    assertThat(one.served).containsOnlyKeys("orders");
    assertThat(one.run().isNothing()).isTrue();

    stores.nodeGroups().ensure("billing", 10);
    assertThat(one.run().taken()).containsExactly("billing");
  }

  @Test
  void groupOfALivingTrackerIsLeftAlone() {
    one.run();
    for (int i = 0; i < 10; i++) {
      time.pass(Duration.ofSeconds(5));
      one.lease.renew();
      one.run();
      assertThat(two.run().isNothing()).isTrue();
    }
  }

  @Test
  void whoeverDoesNotServeAGroupKnowsWhereItsOwnerIs() {
    one.run();
    two.run();
    assertThat(two.ownership.ownerElsewhere("orders")).isEqualTo("one");
    assertThat(one.ownership.ownerElsewhere("orders")).isNull();

    one.transfers.end(time.millis());
    two.run();

    assertThat(two.ownership.ownerElsewhere("orders")).isNull();
  }

  @Test
  void groupOfADeadTrackerIsTakenOverOnceItsLeaseHasRunOut() {
    one.run();
    time.pass(LEASE.minusMillis(1));
    two.lease.renew();
    two.run();
    assertThat(two.served).isEmpty();

    time.pass(Duration.ofMillis(2));
    two.run();

    assertThat(two.served).containsOnlyKeys("orders");
    assertThat(two.served.get("orders")).isGreaterThan(one.served.get("orders"));
  }

  /** Its row says for an hour that it lives. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void groupOfATrackerThatDiesAroundAClockThatIsSetBackIsTakenOver(boolean diesFirst) {
    one.run();
    if (diesFirst) {
      time.pass(Duration.ofSeconds(3));
      two.lease.renew();
      two.run();
    }
    time.setClock(time.now().minus(Duration.ofHours(1)));

    List<String> taken = new ArrayList<>();
    for (int second = 0; second < 20; second++) {
      two.lease.renew();
      taken.addAll(two.run().taken());
      time.pass(Duration.ofSeconds(1));
    }
    assertThat(taken).as("for two leases it may yet be renewed").isEmpty();
    time.pass(Duration.ofSeconds(1));
    two.lease.renew();
    two.run();

    assertThat(two.served).containsOnlyKeys("orders");
    assertThat(two.served.get("orders")).isGreaterThan(one.served.get("orders"));
  }

  @Test
  void trackerThatRunsKeepsItsGroupWhenTheClockIsSetBack() {
    one.run();
    two.run();
    // The one that looks follows the clock first; the owner goes on by the old one for a while.
    Instant before = time.now();
    for (int second = 1; second <= 60; second++) {
      time.pass(Duration.ofSeconds(1));
      Instant now = before.plusSeconds(second);
      time.setClock(second <= 30 ? now : now.minus(Duration.ofHours(1)));
      if (second % 3 == 0) {
        assertThat(one.lease.renew()).isTrue();
      }
      time.setClock(now.minus(Duration.ofHours(1)));
      two.lease.renew();
      assertThat(two.run().isNothing()).as("second %d", second).isTrue();
      assertThat(one.run().isNothing()).as("second %d", second).isTrue();
    }
    assertThat(one.served).containsOnlyKeys("orders");
  }

  @Test
  void trackerThatRunsKeepsItsGroupWhenItsClockFollowsAfterItWasNotRenewedForALease() {
    one.run();
    two.run();
    time.setClock(time.now().minus(Duration.ofHours(1)));
    for (int look = 0; look < 4; look++) {
      time.pass(Duration.ofSeconds(4));
      two.lease.renew();
      assertThat(two.run().isNothing()).isTrue();
    }
    assertThat(one.lease.renew()).isTrue();
    for (int look = 0; look < 10; look++) {
      time.pass(Duration.ofSeconds(3));
      one.lease.renew();
      two.lease.renew();
      assertThat(two.run().isNothing()).isTrue();
      one.run();
    }
    assertThat(one.served).containsOnlyKeys("orders");
  }

  @Test
  void trackerWhoseLeaseIsTwiceAsLongIsNotDoubted() {
    one.run();
    stores.trackers().renew(one.number(), "one", time.millis() + 2 * LEASE.toMillis());
    for (int second = 0; second < 20; second++) {
      two.lease.renew();
      two.run();
      assertThat(two.served).isEmpty();
      time.pass(Duration.ofSeconds(1));
    }
    two.lease.renew();

    assertThat(two.run().taken()).containsExactly("orders");
  }

  @Test
  void trackerThatWasTakenForDeadStopsServingWhenItLooksAgain() {
    one.run();
    time.pass(LEASE.plusMillis(1));
    two.lease.renew();
    two.run();

    GroupTransfers.Changed changed = one.run();

    assertThat(changed.lost()).containsExactly("orders");
    assertThat(one.served).isEmpty();
  }

  /** A master of LTS that lost its place and won it back ran no checkers any more. */
  @Test
  void groupThatIsWonBackIsServedAnewUnderAHigherEpoch() {
    one.run();
    long first = one.served.get("orders");
    time.pass(LEASE.plusMillis(1));
    two.lease.renew();
    two.run();
    one.run();
    two.transfers.end(time.millis());

    one.run();

    assertThat(one.served.get("orders")).isGreaterThan(first);
    assertThat(one.begun).isEqualTo(2);
  }

  /** LTS went on waiting for a dead master if all nodes vanished at once. */
  @Test
  void groupsAreServedAgainAfterAllTrackersVanishedAtOnce() {
    one.run();
    two.run();
    time.pass(Duration.ofHours(1));

    Node three = new Node("three");
    three.run();

    assertThat(three.served).containsOnlyKeys("orders");
  }

  /** A number is leased again once it is free: the group still bears it, from another life. */
  @Test
  void successorUnderTheSameNumberTakesTheGroupAnew() {
    one.run();
    long before = one.served.get("orders");
    one.lease.release();
    Node successor = new Node("successor");
    assertThat(successor.number()).isEqualTo(one.number());

    successor.run();

    assertThat(successor.served.get("orders")).isGreaterThan(before);
  }

  @Test
  void ofTwoTrackersThatTakeAFreeGroupAtOnceOneServes() {
    NodeGroup seenByBoth = stores.nodeGroups().find("orders").orElseThrow();
    assertThat(stores.nodeGroups().takeOwnership("orders", two.number(), seenByBoth.epoch()))
        .isTrue();
    assertThat(stores.nodeGroups().takeOwnership("orders", one.number(), seenByBoth.epoch()))
        .isFalse();
    one.run();

    assertThat(one.served).isEmpty();
  }

  @Test
  void groupsOfTheLastTrackerAreFreeAtOnceWhenItStops() {
    two.lease.release();
    one.run();
    one.transfers.end(time.millis());

    assertThat(one.served).isEmpty();
    assertThat(owner("orders")).isNull();
    one.lease.release();
    Node next = new Node("next");
    next.run();
    assertThat(next.served).containsOnlyKeys("orders");
  }

  @Test
  void releasingWhatAnotherHasTakenOverTakesNothingFromIt() {
    one.run();
    time.pass(LEASE.plusMillis(1));
    two.lease.renew();
    two.run();

    one.transfers.end(time.millis());

    assertThat(owner("orders")).isEqualTo(two.number());
  }

  @Test
  void groupThatCannotBeServedIsTriedAgainAndKeepsNoOtherFromBeingServed() {
    two.lease.release();
    stores.nodeGroups().ensure("a-first", 10);
    stores.nodeGroups().ensure("z-last", 10);
    one.failing.add("a-first");

    assertThatThrownBy(one::run)
        .isInstanceOf(StoreUnavailableException.class)
        .hasMessageContaining("a-first");
    assertThat(one.served).containsOnlyKeys("orders", "z-last");

    one.failing.clear();
    one.run();
    assertThat(one.served).containsOnlyKeys("a-first", "orders", "z-last");
  }

  @Test
  void whoHasGivenUpItsGroupsTakesNoneBack() {
    two.lease.release();
    one.run();
    one.transfers.end(time.millis());

    assertThat(one.run().isNothing()).isTrue();
    assertThat(owner("orders")).isNull();
  }

  // Balance.

  @Test
  void ofGroupsThatNobodyServesEveryLiveTrackerTakesItsShare() {
    groups("a", "b", "c", "d", "e");
    one.run();
    two.run();

    assertThat(one.served).hasSize(3);
    assertThat(two.served).hasSize(3);
    assertThat(one.run().isNothing()).isTrue();
    assertThat(two.run().isNothing()).isTrue();
    assertThat(told).contains(two.number() + " b");
  }

  @Test
  void trackerThatStartsAloneTakesEverythingAndHandsTheSurplusToTheNext() {
    groups("a", "b", "c", "d", "e");
    two.lease.release();
    one.run();
    assertThat(one.served).hasSize(6);
    two = new Node("two");

    GroupTransfers.Changed changed = one.run();
    two.run();

    assertThat(changed.handedOver()).hasSize(3);
    assertThat(one.served).hasSize(3);
    assertThat(two.served).containsOnlyKeys(changed.handedOver());
    for (int look = 0; look < 3; look++) {
      assertThat(one.run().isNothing()).isTrue();
      assertThat(two.run().isNothing()).isTrue();
    }
  }

  @Test
  void groupsOfADeadTrackerAreSharedByThoseWhoLive() {
    groups("a", "b", "c", "d", "e");
    Node three = new Node("three");
    List.of(one, two, three).forEach(Node::run);
    assertThat(three.served).hasSize(2);
    time.pass(LEASE.plusMillis(1));
    one.lease.renew();
    two.lease.renew();

    one.run();
    two.run();

    assertThat(one.served).hasSize(3);
    assertThat(two.served).hasSize(3);
  }

  // Hand-over.

  @Test
  void workersAreSentOnWhenClaimsHaveEndedAndTheTargetHasAnswered() {
    groups("a");
    two.lease.release();
    one.run();
    two = new Node("two");
    one.pause = new CompletableFuture<>();
    answer = new CompletableFuture<>();

    String moved = one.run().handedOver().get(0);
    assertThat(one.paused).containsExactly(moved);
    assertThat(owner(moved)).isEqualTo(one.number());
    assertThat(one.run().isNothing()).as("it is under way").isTrue();

    one.pause.complete(null);
    assertThat(owner(moved)).isEqualTo(two.number());
    assertThat(told).containsExactly(two.number() + " " + moved);
    assertThat(one.sentTo).isEmpty();

    two.run();
    answer.complete(true);
    assertThat(two.served).containsOnlyKeys(moved);
    assertThat(one.sentTo).containsEntry(moved, "two");
    assertThat(one.ownership.ownerElsewhere(moved)).isEqualTo("two");
  }

  @Test
  void targetThatDiesBeforeItTakesTheGroupLosesItWithItsLease() {
    groups("a");
    two.lease.release();
    one.run();
    two = new Node("two");
    String moved = one.run().handedOver().get(0);
    time.pass(LEASE.plusMillis(1));
    one.lease.renew();

    assertThat(one.run().taken()).containsExactly(moved);
    assertThat(one.served).hasSize(2);
  }

  @Test
  void groupThatAnotherTookWhileItsClaimsEndedIsNotHandedOver() {
    groups("a");
    two.lease.release();
    one.run();
    two = new Node("two");
    one.pause = new CompletableFuture<>();
    String moved = one.run().handedOver().get(0);
    long epoch = stores.nodeGroups().find(moved).orElseThrow().epoch();
    Node three = new Node("three");
    assertThat(stores.nodeGroups().takeOwnership(moved, three.number(), epoch)).isTrue();

    one.pause.complete(null);

    assertThat(owner(moved)).isEqualTo(three.number());
    assertThat(one.served).doesNotContainKey(moved);
    assertThat(told).isEmpty();
    one.run();
    assertThat(one.ownership.ownerElsewhere(moved)).isEqualTo("three");
  }

  // Stop.

  @Test
  void trackerThatStopsHandsItsGroupsOverInEqualShares() {
    groups("a", "b", "c", "d", "e");
    Node three = new Node("three");
    List.of(one, two, three).forEach(Node::run);
    Set<String> left = Set.copyOf(three.served.keySet());

    three.lease.retire();
    three.transfers.end(time.millis()).join();
    one.run();
    two.run();

    assertThat(three.served).isEmpty();
    assertThat(three.sentTo).containsOnlyKeys(left);
    assertThat(three.sentTo.values()).containsExactlyInAnyOrder("one", "two");
    assertThat(one.served).hasSize(3);
    assertThat(two.served).hasSize(3);
  }

  @Test
  void noGroupIsHandedToATrackerThatStops() {
    groups("a", "b", "c");
    one.run();
    two.run();
    two.lease.retire();
    two.transfers.end(time.millis()).join();

    one.run();
    assertThat(one.run().isNothing()).isTrue();

    assertThat(one.served).hasSize(4);
  }

  // Groups that nothing uses.

  private UnusedGroups unusedOf(Node node) {
    return new UnusedGroups(
        stores.nodeGroups(), node.transfers, node.number(), pulledFor::contains, UNUSED);
  }

  private void passRenewing(Duration duration) {
    time.pass(duration);
    one.lease.renew();
  }

  @Test
  void groupThatNothingUsesForLongIsLeftAndDropped() {
    two.lease.release();
    groups("idle", "pulled");
    pulledFor.add("pulled");
    tracker.submit(HandDrivenTracker.job("a").build());
    one.run();
    UnusedGroups unused = unusedOf(one);

    assertThat(unused.runOnce(time.millis())).isEmpty();
    passRenewing(UNUSED.minusMillis(1));
    assertThat(unused.runOnce(time.millis())).isEmpty();
    passRenewing(Duration.ofMillis(1));
    assertThat(unused.runOnce(time.millis())).containsExactly("idle");

    assertThat(one.served).containsOnlyKeys("orders", "pulled");
    assertThat(stores.nodeGroups().find("idle")).isEmpty();
    assertThat(one.run().isNothing()).isTrue();
  }

  @Test
  void useBetweenTwoLooksBeginsTheTimeAnew() {
    two.lease.release();
    one.run();
    UnusedGroups unused = unusedOf(one);
    assertThat(unused.runOnce(time.millis())).isEmpty();
    passRenewing(UNUSED);
    pulledFor.add("orders");
    assertThat(unused.runOnce(time.millis())).isEmpty();
    pulledFor.clear();
    assertThat(unused.runOnce(time.millis())).isEmpty();

    passRenewing(UNUSED.minusMillis(1));
    assertThat(unused.runOnce(time.millis())).isEmpty();
    assertThat(one.served).containsOnlyKeys("orders");
  }

  @Test
  void groupThatIsUsedAtTheLastMomentIsTakenAgain() {
    two.lease.release();
    one.run();
    tracker.submit(HandDrivenTracker.job("a").build());

    assertThat(one.transfers.dropUnused("orders", time.millis())).isFalse();

    assertThat(one.served).isEmpty();
    assertThat(one.run().taken()).containsExactly("orders");
    assertThat(waiting("a")).hasSize(1);
  }

  @Test
  void onlyAFewGroupsAreDroppedAtATime() {
    two.lease.release();
    for (int i = 0; i <= UnusedGroups.MOST_DROPPED; i++) {
      stores.nodeGroups().ensure("idle-" + i, 100);
    }
    pulledFor.add("orders");
    one.run();
    UnusedGroups unused = unusedOf(one);
    assertThat(unused.runOnce(time.millis())).isEmpty();
    passRenewing(UNUSED);

    assertThat(unused.runOnce(time.millis())).hasSize(UnusedGroups.MOST_DROPPED);
    assertThat(unused.runOnce(time.millis())).hasSize(1);
  }

  @Test
  void whereADroppedGroupWasServedIsForgotten() {
    one.run();
    two.run();
    assertThat(two.ownership.ownerElsewhere("orders")).isEqualTo("one");

    assertThat(one.transfers.dropUnused("orders", time.millis())).isTrue();
    two.run();

    assertThat(two.ownership.ownerElsewhere("orders")).isNull();
    stores.nodeGroups().ensure("orders", 10);
  }

  /** It was made again after a drop, and another took it: epochs have begun anew. */
  @Test
  void groupThatAnotherHasInTheSameEpochIsLeft() {
    one.run();
    byHand("UPDATE jt_node_group SET owner = " + two.number());

    assertThat(one.run().lost()).containsExactly("orders");
    assertThat(one.served).isEmpty();
  }

  // Doubt.

  /** Stopped, paged out, or cut off: it cannot know what others did meanwhile. */
  @Test
  void trackerThatRenewsLateIsInDoubtUntilItHasLookedAtTheStore() {
    one.run();
    assertThat(one.lease.isCertain()).isTrue();
    time.pass(LEASE);
    assertThat(one.lease.isHeld()).isFalse();

    assertThat(one.lease.renew()).isTrue();
    assertThat(one.lease.isHeld()).isTrue();
    assertThat(one.lease.isCertain()).isFalse();

    one.run();
    assertThat(one.lease.isCertain()).isTrue();
  }

  @Test
  void trackerInDoubtRenewsBeforeItLooks() {
    one.run();
    time.pass(LEASE);

    one.run();

    assertThat(one.lease.isCertain()).isTrue();
    assertThat(one.served).containsOnlyKeys("orders");
  }

  @Test
  void groupThatCannotBeServedKeepsNobodyInDoubt() {
    one.run();
    groups("a", "b");
    one.failing.addAll(Set.of("a", "b"));
    time.pass(LEASE);

    assertThatThrownBy(one::run).isInstanceOf(StoreUnavailableException.class);

    assertThat(one.lease.isCertain()).isTrue();
  }

  private void groups(String... names) {
    for (String name : names) {
      stores.nodeGroups().ensure(name, 10);
    }
  }

  private Integer owner(String group) {
    return stores.nodeGroups().find(group).orElseThrow().owner();
  }

  private final class Node {
    final Map<String, Long> served = new HashMap<>();
    final Map<String, String> sentTo = new HashMap<>();
    final Set<String> paused = new HashSet<>();
    final Set<String> failing = new HashSet<>();
    final TrackerLease lease;
    final GroupOwnership ownership;
    final GroupTransfers<RecordedGroup> transfers;
    CompletableFuture<Void> pause = CompletableFuture.completedFuture(null);
    int begun;

    Node(String trackerId) {
      lease =
          TrackerLease.acquire(
              stores.trackers(),
              trackerId,
              trackerId,
              time.timedExecutor().clock(),
              LEASE,
              why -> {});
      ownership =
          new GroupOwnership(
              stores.nodeGroups(),
              new BelievedLeases(stores.liveTrackers(), time.timedExecutor().clock(), LEASE),
              lease);
      transfers =
          new GroupTransfers<>(
              ownership,
              new GroupRegistry<>(),
              (nodeGroup, epoch) -> new RecordedGroup(this, nodeGroup, epoch),
              lease,
              (target, group) -> {
                told.add(target.number() + " " + group);
                return answer;
              },
              time.timedExecutor());
    }

    int number() {
      return lease.number();
    }

    GroupTransfers.Changed run() {
      return transfers.runOnce(time.millis());
    }
  }

  /** A node group that notes at its node what becomes of it. */
  private record RecordedGroup(Node node, String name, long epoch) implements GroupTransfers.Group {

    @Override
    public void start() {
      if (node.failing.contains(name)) {
        throw new StoreUnavailableException("adopt executions of " + name, null);
      }
      node.begun++;
      assertThat(node.served.put(name, epoch)).as("served twice").isNull();
    }

    @Override
    public CompletableFuture<Void> pause() {
      node.paused.add(name);
      return node.pause;
    }

    @Override
    public void resume() {
      node.paused.remove(name);
    }

    @Override
    public void dispatch() {}

    @Override
    public CompletableFuture<Void> stop() {
      assertThat(node.served.remove(name)).as("left what was not served").isNotNull();
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public void close(@Nullable String owner) {
      if (owner != null) {
        node.sentTo.put(name, owner);
      }
    }
  }
}
