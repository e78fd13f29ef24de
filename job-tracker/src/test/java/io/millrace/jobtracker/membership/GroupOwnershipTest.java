package io.millrace.jobtracker.membership;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.jobtracker.fixture.RoomTest;
import io.millrace.jobtracker.store.NodeGroupStore.NodeGroup;
import io.millrace.jobtracker.store.StoreUnavailableException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Three trackers over one store, each driven by hand; the group of the fixture is left out. */
class GroupOwnershipTest extends RoomTest {
  private static final Duration LEASE = Duration.ofSeconds(10);

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
    one.run();
    stores.nodeGroups().ensure("billing", 10);

    GroupOwnership.Changed changed = one.run();

    assertThat(changed.taken()).containsExactly("billing");
    assertThat(one.served).containsOnlyKeys("billing", "orders");
    assertThat(one.run().isNothing()).isTrue();
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
    assertThat(two.ownership.ownerElsewhere("orders")).isEqualTo("local");
    assertThat(one.ownership.ownerElsewhere("orders")).isNull();

    one.ownership.releaseAll();
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

  @Test
  void trackerThatWasTakenForDeadStopsServingWhenItLooksAgain() {
    one.run();
    time.pass(LEASE.plusMillis(1));
    two.lease.renew();
    two.run();

    GroupOwnership.Changed changed = one.run();

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
    two.ownership.releaseAll();

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
  void groupsThatAreReleasedAreFreeAtOnce() {
    one.run();
    one.ownership.releaseAll();

    assertThat(one.served).isEmpty();
    assertThat(owner("orders")).isNull();
    two.run();
    assertThat(two.served).containsOnlyKeys("orders");
  }

  @Test
  void releasingWhatAnotherHasTakenOverTakesNothingFromIt() {
    one.run();
    time.pass(LEASE.plusMillis(1));
    two.lease.renew();
    two.run();

    one.ownership.releaseAll();

    assertThat(owner("orders")).isEqualTo(two.number());
  }

  @Test
  void groupThatCannotBeServedIsTriedAgainAndKeepsNoOtherFromBeingServed() {
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
    one.run();
    one.ownership.releaseAll();

    assertThat(one.run().isNothing()).isTrue();
    assertThat(owner("orders")).isNull();
  }

  private Integer owner(String group) {
    return stores.nodeGroups().find(group).orElseThrow().owner();
  }

  private final class Node implements GroupOwnership.Service {
    final Map<String, Long> served = new HashMap<>();
    final Set<String> failing = new HashSet<>();
    final TrackerLease lease;
    final GroupOwnership ownership;
    int begun;

    Node(String trackerId) {
      lease =
          TrackerLease.acquire(
              stores.trackers(), trackerId, "local", time.timedExecutor().clock(), LEASE, () -> {});
      ownership = new GroupOwnership(stores.nodeGroups(), stores.trackers(), lease.number(), this);
    }

    int number() {
      return lease.number();
    }

    GroupOwnership.Changed run() {
      return ownership.runOnce(time.millis());
    }

    @Override
    public void serve(String nodeGroup, long epoch) {
      if (failing.contains(nodeGroup)) {
        throw new StoreUnavailableException("adopt executions of " + nodeGroup, null);
      }
      begun++;
      assertThat(served.put(nodeGroup, epoch)).as("served twice").isNull();
    }

    @Override
    public void leave(String nodeGroup) {
      assertThat(served.remove(nodeGroup)).as("left what was not served").isNotNull();
    }
  }
}
