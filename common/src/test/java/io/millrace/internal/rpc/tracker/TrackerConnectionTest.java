package io.millrace.internal.rpc.tracker;

import static io.millrace.internal.rpc.InProcessNodes.SECOND;
import static io.millrace.internal.rpc.InProcessNodes.cancel;
import static io.millrace.internal.rpc.RpcFailures.assertFails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.CancelResult;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.rpc.InProcessNodes;
import io.millrace.internal.rpc.RoleTokens;
import io.millrace.internal.rpc.RpcConnector;
import io.millrace.internal.rpc.RpcException;
import io.millrace.internal.rpc.RpcServer;
import io.millrace.internal.rpc.Session;
import io.millrace.internal.rpc.Token;
import io.millrace.internal.rpc.memory.DeliveryPolicy;
import io.millrace.internal.rpc.memory.SimulatedDelivery;
import io.millrace.internal.rpc.memory.SimulatedFrame;
import io.millrace.internal.rpc.netty.NettyNodes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class TrackerConnectionTest {
  private static final Duration LONG = Duration.ofSeconds(30);

  private final InProcessNodes nodes = new InProcessNodes(1);
  private final RpcConnector connector = nodes.connector("c-1", NettyNodes.CLIENT_TOKEN);
  private final List<String> events = new ArrayList<>();

  @Test
  void callsGoToTheFirstTrackerThatAnswers() {
    nodes.serve("b");
    TrackerConnection connection = start("a", "b");

    assertThat(connection.call(cancel("four"), SECOND).join())
        .isEqualTo(new CancelResult(true, 4, 0));
    assertThat(events).containsExactly("connected b");
  }

  @Test
  void callWithoutATrackerFailsAtOnceAndNamesTheAddressesAndTheFailure() {
    TrackerConnection connection = start("a", "b");

    CompletableFuture<CancelResult> call = connection.call(cancel("x"), SECOND);

    assertThat(call).isCompletedExceptionally();
    assertFails(call, ErrorCode.UNAVAILABLE)
        .hasMessageContaining("[a, b]")
        .hasMessageContaining("cannot connect to a tracker at ");
  }

  @Test
  void lostConnectionIsMadeAgain() {
    nodes.serve("a");
    TrackerConnection connection = start("a");

    nodes.network.cut("a");
    assertThat(connection.session()).isNull();
    nodes.timer.advance(SECOND);

    assertThat(connection.call(cancel("x"), SECOND).join().found()).isTrue();
    assertThat(events).containsExactly("connected a", "disconnected", "connected a");
  }

  @Test
  void deadTrackersPlaceIsTakenByAnother() {
    RpcServer first = nodes.serve("a");
    nodes.serve("b");
    TrackerConnection connection = start("a", "b");

    first.close();
    nodes.timer.advance(SECOND);

    assertThat(connection.session().peer().address()).isEqualTo("b");
  }

  @Test
  void trackerThatComesLateIsFoundWithinTheLongestPause() {
    TrackerConnection connection = start("a");
    nodes.timer.advance(Duration.ofHours(1));

    nodes.serve("a");
    nodes.timer.advance(TrackerConnectionConfig.DEFAULT_MAX_BACKOFF);

    assertThat(connection.session()).isNotNull();
  }

  @Test
  void pausesGrowFromTheFirstToTheLongestWithJitter() {
    List<Duration> attempts = new ArrayList<>();
    nodes.network.setPolicy(
        new DeliveryPolicy() {
          @Override
          public SimulatedDelivery decide(SimulatedFrame parcel, Random random) {
            return SimulatedDelivery.AT_ONCE;
          }

          @Override
          public boolean connects(String nodeId, String address) {
            attempts.add(Duration.ofNanos(nodes.clock.nanoTime()));
            return false;
          }
        });
    start("a");
    nodes.timer.advance(Duration.ofMinutes(1));

    for (int i = 1; i < attempts.size(); i++) {
      Duration pause = attempts.get(i).minus(attempts.get(i - 1));
      Duration longest = Duration.ofMillis(Math.min(200L << Math.min(i - 1, 10), 10_000));
      assertThat(pause).isBetween(longest.dividedBy(2), longest);
    }
    assertThat(attempts).hasSizeBetween(10, 20);
  }

  @Test
  void discoveredTrackerTakesThePlaceOfTheOnlyConfiguredOne() {
    nodes.tracker.trackers = List.of("a:1", "b:1");
    RpcServer first = nodes.serve("a:1");
    nodes.serve("b:1");
    TrackerConnection connection = start("a:1");

    first.close();
    nodes.timer.advance(SECOND);

    assertThat(connection.session().peer().address()).isEqualTo("b:1");
    assertThat(events).containsExactly("connected a:1", "disconnected", "connected b:1");
  }

  @Test
  void trackersThatComeLaterAreLearnedWhileConnectedAndForgottenWhenNobodyNamesThem() {
    nodes.tracker.trackers = List.of("a:1", "gone:1");
    RpcServer first = nodes.serve("a:1");
    TrackerConnection connection = start("a:1");
    nodes.tracker.trackers = List.of("a:1", "late:1");
    nodes.timer.advance(TrackerConnection.DISCOVERY_PERIOD);
    List<String> tried = new ArrayList<>();
    nodes.network.setPolicy(noting(tried));

    first.close();
    nodes.timer.advance(SECOND);

    assertThat(connection.session()).isNull();
    assertThat(tried).contains("a:1", "late:1").doesNotContain("gone:1");
  }

  @Test
  void trackerThatNamesNobodyMakesNothingForgotten() {
    nodes.tracker.trackers = List.of("a:1", "b:1");
    RpcServer first = nodes.serve("a:1");
    nodes.serve("b:1");
    TrackerConnection connection = start("a:1");
    nodes.tracker.trackers = List.of();
    nodes.timer.advance(TrackerConnection.DISCOVERY_PERIOD);

    first.close();
    nodes.timer.advance(SECOND);

    assertThat(connection.session().peer().address()).isEqualTo("b:1");
  }

  @Test
  void whatIsNoAddressAndWhatIsTooMuchIsNotKept() {
    KnownTrackers known = new KnownTrackers(List.of("a:1"), new Random(1));
    List<String> named = new ArrayList<>(List.of("a:1", "no address", "host:0", "x:1"));
    for (int i = 0; i < 100; i++) {
      named.add("t" + i + ":1");
    }

    assertThat(known.learn(named)).isTrue();

    assertThat(known.all()).hasSizeLessThanOrEqualTo(1 + 64).contains("a:1", "x:1", "t59:1");
    assertThat(known.all()).doesNotContain("no address", "host:0", "t60:1").doesNotHaveDuplicates();
    assertThat(known.learn(named)).isFalse();
  }

  @Test
  void nodesOfNeighbouringSeedsBeginAtDifferentTrackersAndTryEachOnce() {
    List<String> configured = List.of("a:1", "b:1", "c:1", "d:1");
    List<String> first = new ArrayList<>();
    for (int seed = 0; seed < 200; seed++) {
      KnownTrackers known = new KnownTrackers(configured, new Random(seed));
      List<String> round = new ArrayList<>();
      for (String next = known.next(); next != null; next = known.next()) {
        round.add(next);
      }
      assertThat(round).containsExactlyInAnyOrderElementsOf(configured);
      first.add(round.get(0));
    }

    assertThat(configured)
        .allSatisfy(address -> assertThat(Collections.frequency(first, address)).isGreaterThan(30));
  }

  @Test
  void addressThatSwallowsEverythingKeepsNoOtherFromBeingTried() {
    nodes.serve("dead:1");
    nodes.serve("dead:2");
    nodes.serve("live:1");
    nodes.network.setPolicy(swallowing("dead:"));
    TrackerConnection connection = start("dead:1", "dead:2", "live:1");

    nodes.timer.advance(TrackerConnection.PATIENCE.multipliedBy(2));

    assertThat(connection.session().peer().address()).isEqualTo("live:1");
    nodes.timer.advance(Duration.ofMinutes(1));
    assertThat(events).containsExactly("connected live:1");
  }

  @Test
  void trackerThatFallsSilentIsLeftBeforeALeaseOfAWorkerRunsOut() {
    nodes.tracker.trackers = List.of("a:1", "b:1");
    nodes.serve("a:1");
    nodes.serve("b:1");
    TrackerConnection connection = start("a:1");
    nodes.network.setPolicy(swallowing("a:1"));

    nodes.timer.advance(Duration.ofMillis(8_200).plus(TrackerConnection.PATIENCE));

    assertThat(connection.session().peer().address()).isEqualTo("b:1");
  }

  @Test
  void latestWishToMoveCountsAndTheEarlierOneIsDropped() {
    nodes.serve("a");
    nodes.serve("slow");
    nodes.serve("owner");
    TrackerConnection connection = start("a");
    nodes.network.setPolicy(
        (parcel, random) ->
            parcel.from().equals("slow") || parcel.to().equals("slow")
                ? SimulatedDelivery.after(SECOND)
                : SimulatedDelivery.AT_ONCE);

    connection.prefer("slow");
    connection.prefer("owner");
    nodes.timer.advance(SECOND.multipliedBy(8));

    assertThat(connection.session().peer().address()).isEqualTo("owner");
    assertThat(events).containsExactly("connected a", "connected owner");
  }

  @Test
  void anotherTrackerThanTheConnectedOneIsFoundIfThereIsOne() {
    nodes.tracker.trackers = List.of("a:1", "b:1");
    nodes.serve("a:1");
    nodes.serve("b:1");
    TrackerConnection connection = start("a:1");

    connection.preferAnother();
    assertThat(connection.session().peer().address()).isEqualTo("b:1");
    connection.preferAnother();
    assertThat(connection.session().peer().address()).isEqualTo("a:1");
  }

  private static DeliveryPolicy swallowing(String prefix) {
    return (parcel, random) ->
        parcel.from().startsWith(prefix) || parcel.to().startsWith(prefix)
            ? SimulatedDelivery.DROPPED
            : SimulatedDelivery.AT_ONCE;
  }

  private static DeliveryPolicy noting(List<String> tried) {
    return new DeliveryPolicy() {
      @Override
      public SimulatedDelivery decide(SimulatedFrame parcel, Random random) {
        return SimulatedDelivery.AT_ONCE;
      }

      @Override
      public boolean connects(String nodeId, String address) {
        tried.add(address);
        return true;
      }
    };
  }

  @Test
  void preferredTrackerIsMovedToWithoutAGap() {
    nodes.serve("a");
    nodes.serve("owner");
    TrackerConnection connection = start("a");
    Session before = connection.session();

    connection.prefer("owner");

    assertThat(connection.session().peer().address()).isEqualTo("owner");
    assertThat(before.isOpen()).isFalse();
    assertThat(events).containsExactly("connected a", "connected owner");
  }

  @Test
  void preferredTrackerThatDoesNotAnswerChangesNothing() {
    nodes.serve("a");
    TrackerConnection connection = start("a");
    Session before = connection.session();

    connection.prefer("owner");
    connection.prefer("a");

    assertThat(connection.session()).isSameAs(before);
    assertThat(before.isOpen()).isTrue();
  }

  @Test
  void lostOwnerSendsTheNodeBackToTheConfiguredTrackers() {
    nodes.serve("a");
    RpcServer owner = nodes.serve("owner");
    TrackerConnection connection = start("a");
    connection.prefer("owner");

    owner.close();
    nodes.timer.advance(SECOND);

    assertThat(connection.session().peer().address()).isEqualTo("a");
  }

  @Test
  void wrongTokenIsToldToWhoWaitsAndMendedByATrackerThatTakesIt() {
    RpcServer strict = nodes.serve("a");
    TrackerConnection connection =
        nodes.trackerConnection(
            nodes.connector("c-1", Token.of("some other token of somebody")), "a");
    List<ErrorCode> refusals = new ArrayList<>();
    connection.addListener(
        new TrackerConnectionListener() {
          @Override
          public void refused(RpcException refusal) {
            refusals.add(refusal.code());
          }
        });
    connection.start();

    assertThatThrownBy(() -> connection.awaitConnected(LONG))
        .isInstanceOfSatisfying(
            RpcException.class,
            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.UNAUTHENTICATED));
    assertThat(connection.lastFailure().code()).isEqualTo(ErrorCode.UNAUTHENTICATED);
    assertThat(connection.refusal().code()).isEqualTo(ErrorCode.UNAUTHENTICATED);
    assertThat(refusals).containsExactly(ErrorCode.UNAUTHENTICATED);

    strict.close();
    nodes
        .network
        .server("a", "t-2", new RoleTokens(Token.of("some other token of somebody"), null))
        .start(nodes.tracker, session -> {});
    nodes.timer.advance(LONG);
    assertThat(connection.awaitConnected(LONG).isOpen()).isTrue();
    assertThat(connection.lastFailure()).isNull();
    assertThat(connection.refusal()).isNull();
  }

  @Test
  void refusalByOneTrackerDoesNotHideAnotherThatAccepts() {
    nodes
        .network
        .server("a", "t-1", new RoleTokens(Token.of("some other token of somebody"), null))
        .start(nodes.tracker, session -> {});
    nodes.serve("b");

    assertThat(start("a", "b").awaitConnected(LONG).peer().address()).isEqualTo("b");
  }

  @Test
  void refusalIsToldEvenIfAnotherTrackerIsDown() {
    nodes
        .network
        .server("a", "t-1", new RoleTokens(Token.of("some other token of somebody"), null))
        .start(nodes.tracker, session -> {});

    TrackerConnection connection = start("a", "down");

    assertThat(connection.lastFailure().code()).isEqualTo(ErrorCode.UNAUTHENTICATED);
  }

  @Test
  void waitingInVainSaysWhatFailedLast() {
    TrackerConnection connection = start("a");

    assertThatThrownBy(() -> connection.awaitConnected(Duration.ofMillis(1)))
        .isInstanceOf(RpcException.class)
        .hasMessageContaining("[a]")
        .hasMessageContaining("no tracker listens there");
  }

  @Test
  void closedConnectionNeitherCallsNorComesBack() {
    nodes.serve("a");
    TrackerConnection connection = start("a");
    Session session = connection.session();

    connection.close();
    connection.close();
    nodes.timer.advance(Duration.ofMinutes(1));

    assertThat(session.isOpen()).isFalse();
    assertThat(connection.session()).isNull();
    assertFails(connection.call(cancel("x"), SECOND), ErrorCode.UNAVAILABLE);
    assertThatThrownBy(() -> connection.awaitConnected(LONG)).isInstanceOf(RpcException.class);
    assertThat(events).containsExactly("connected a", "disconnected");
  }

  @Test
  void configurationWithoutAddressesOrWithAnImpossiblePauseIsRefused() {
    assertThatThrownBy(() -> TrackerConnectionConfig.of(List.of()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(
            () -> new TrackerConnectionConfig(List.of("a"), SECOND, Duration.ofMillis(1)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private TrackerConnection start(String... addresses) {
    TrackerConnection connection = nodes.trackerConnection(connector, addresses);
    connection.addListener(
        new TrackerConnectionListener() {
          @Override
          public void connected(Session session) {
            events.add("connected " + session.peer().address());
          }

          @Override
          public void disconnected() {
            events.add("disconnected");
          }
        });
    connection.start();
    return connection;
  }
}
