package io.millrace.internal.rpc.memory;

import static io.millrace.internal.rpc.InProcessNodes.SECOND;
import static io.millrace.internal.rpc.InProcessNodes.cancel;
import static io.millrace.internal.rpc.RpcFailures.assertFails;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.CancelResult;
import io.millrace.internal.model.NodeRole;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.protocol.FeedbackReply;
import io.millrace.internal.protocol.FeedbackRequest;
import io.millrace.internal.protocol.PullRequest;
import io.millrace.internal.protocol.RequestType;
import io.millrace.internal.rpc.ConnectionLimits;
import io.millrace.internal.rpc.InProcessNodes;
import io.millrace.internal.rpc.Peer;
import io.millrace.internal.rpc.RpcConnector;
import io.millrace.internal.rpc.RpcServer;
import io.millrace.internal.rpc.ScriptedHandler;
import io.millrace.internal.rpc.Session;
import io.millrace.internal.rpc.Token;
import io.millrace.internal.rpc.netty.NettyNodes;
import io.millrace.internal.rpc.tracker.TrackerConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class InProcessNetworkTest {
  private final InProcessNodes nodes = new InProcessNodes(1);

  @Test
  void callerAndTrackerAskEachOtherWithoutAThreadOrTimePassing() {
    nodes.serve("tracker");
    Session session = nodes.connect("c-1", "tracker").join();

    assertThat(session.call(cancel("four"), SECOND).join()).isEqualTo(new CancelResult(true, 4, 0));
    assertThat(nodes.sessions.get(0).call(new FeedbackRequest(List.of()), SECOND).join())
        .isEqualTo(new FeedbackReply(0));
    Peer peer = nodes.sessions.get(0).peer();
    assertThat(peer)
        .isEqualTo(new Peer(NodeRole.CLIENT, "c-1", "shop", "c-1", null, peer.connection()));
  }

  @Test
  void connectionsOfOneNodeAreToldApartAtTheTracker() {
    nodes.serve("tracker");
    nodes.connect("c-1", "tracker").join();
    nodes.connect("c-1", "tracker").join();

    assertThat(nodes.sessions.get(0).peer()).isNotEqualTo(nodes.sessions.get(1).peer());
  }

  @Test
  void rolesAreCheckedAsOverTcp() {
    nodes.serve("tracker");
    Session session = nodes.connect("c-1", "tracker").join();

    assertFails(
        session.call(new PullRequest(1, 1, List.of(), List.of()), SECOND), ErrorCode.FORBIDDEN);
    assertThat(nodes.tracker.seen).isEmpty();
  }

  @Test
  void tokensAreCheckedAsOverTcp() {
    nodes.serve("tracker");
    RpcConnector stranger = nodes.connector("c-1", Token.of("some other token of somebody"));

    assertFails(stranger.connect("tracker", nodes.caller), ErrorCode.UNAUTHENTICATED);
  }

  @Test
  void addressNobodyServesIsUnavailable() {
    assertFails(nodes.connect("c-1", "tracker"), ErrorCode.UNAVAILABLE);
  }

  @Test
  void delayedMessageArrivesWhenItsTimeHasCome() {
    Session session = connected();
    nodes.network.setPolicy((parcel, random) -> SimulatedDelivery.after(Duration.ofMillis(100)));

    CompletableFuture<CancelResult> call = session.call(cancel("a"), SECOND);

    nodes.timer.advance(Duration.ofMillis(199));
    assertThat(call).isNotDone();
    nodes.timer.advance(Duration.ofMillis(1));
    assertThat(call).isCompleted();
  }

  @Test
  void messagesInOrderDoNotOvertakeSlowerOnes() {
    Session session = connected();
    slowsDown(SimulatedDelivery.after(Duration.ofMillis(100)), SimulatedDelivery.AT_ONCE);

    session.call(cancel("slow"), SECOND);
    session.call(cancel("fast"), SECOND);
    nodes.timer.advance(SECOND);

    assertThat(nodes.tracker.seen).containsExactly(cancel("slow"), cancel("fast"));
  }

  @Test
  void overtakingMessageArrivesFirst() {
    Session session = connected();
    slowsDown(
        SimulatedDelivery.overtakingAfter(Duration.ofMillis(100)),
        SimulatedDelivery.overtakingAfter(Duration.ofMillis(1)));

    session.call(cancel("slow"), SECOND);
    session.call(cancel("fast"), SECOND);
    nodes.timer.advance(SECOND);

    assertThat(nodes.tracker.seen).containsExactly(cancel("fast"), cancel("slow"));
  }

  @Test
  void droppedRequestIsNeverSeenAndItsCallExpires() {
    Session session = connected();
    nodes.network.setPolicy((parcel, random) -> SimulatedDelivery.DROPPED);

    CompletableFuture<CancelResult> call = session.call(cancel("a"), SECOND);
    nodes.timer.advance(SECOND);

    assertFails(call, ErrorCode.UNAVAILABLE);
    assertThat(nodes.tracker.seen).isEmpty();
    assertThat(session.isOpen()).isTrue();
  }

  @Test
  void droppedReplyLeavesTheRequestCarriedOut() {
    Session session = connected();
    nodes.network.setPolicy(
        (parcel, random) ->
            parcel.to().equals("c-1") ? SimulatedDelivery.DROPPED : SimulatedDelivery.AT_ONCE);

    CompletableFuture<CancelResult> call = session.call(cancel("a"), SECOND);
    nodes.timer.advance(SECOND);

    assertFails(call, ErrorCode.UNAVAILABLE);
    assertThat(nodes.tracker.seen).containsExactly(cancel("a"));
  }

  @Test
  void cutFailsCallsAndTellsBothEnds() {
    Session session = connected();
    AtomicInteger told = new AtomicInteger();
    session.onClose(told::incrementAndGet);
    nodes.sessions.get(0).onClose(told::incrementAndGet);
    CompletableFuture<CancelResult> call = session.call(cancel(ScriptedHandler.WAITS), SECOND);

    nodes.network.cut("c-1");

    assertFails(call, ErrorCode.UNAVAILABLE);
    assertThat(told).hasValue(2);
    assertThat(session.isOpen()).isFalse();
    assertThat(nodes.sessions.get(0).isOpen()).isFalse();
  }

  @Test
  void policyCutsTheConnectionOfAMessage() {
    Session session = connected();
    nodes.network.setPolicy(
        (parcel, random) ->
            parcel.type() == RequestType.CANCEL
                ? SimulatedDelivery.CUT
                : SimulatedDelivery.AT_ONCE);

    assertFails(session.call(cancel("a"), SECOND), ErrorCode.UNAVAILABLE);
    assertThat(session.isOpen()).isFalse();
  }

  @Test
  void closedServerIsGoneUntilAnotherTakesItsAddress() {
    RpcServer server = nodes.serve("tracker");
    Session session = nodes.connect("c-1", "tracker").join();

    server.close();

    assertThat(session.isOpen()).isFalse();
    assertFails(nodes.connect("c-1", "tracker"), ErrorCode.UNAVAILABLE);
    nodes.serve("tracker");
    assertThat(nodes.connect("c-1", "tracker").join().isOpen()).isTrue();
  }

  @Test
  void silentPartitionIsNoticedByTheMissingSignsOfLife() {
    Session session = connected();
    nodes.network.setPolicy((parcel, random) -> SimulatedDelivery.DROPPED);

    nodes.timer.advance(ConnectionLimits.DEFAULT.idleTimeout().multipliedBy(2));

    assertThat(session.isOpen()).isFalse();
    assertThat(nodes.sessions.get(0).isOpen()).isFalse();
  }

  @Test
  void quietConnectionLivesOnPings() {
    Session session = connected();

    nodes.timer.advance(Duration.ofDays(1));

    assertThat(session.isOpen()).isTrue();
    assertThat(nodes.sessions.get(0).isOpen()).isTrue();
  }

  @Test
  void equalSeedsGiveEqualHistoriesAndOthersDoNot() {
    assertThat(historyOf(7)).isEqualTo(historyOf(7)).isNotEqualTo(historyOf(8));
  }

  /**
   * What a tracker sees of a hundred requests over a network that does everything it can to them.
   */
  private static List<Object> historyOf(long seed) {
    InProcessNodes nodes = new InProcessNodes(seed);
    nodes.serve("tracker");
    List<Object> history = new ArrayList<>();
    nodes.network.setPolicy(
        (parcel, random) -> {
          history.add(parcel);
          Duration delay = Duration.ofMillis(random.nextInt(50));
          return switch (parcel.isHandshake() ? 0 : random.nextInt(20)) {
            case 1 -> SimulatedDelivery.DROPPED;
            case 2 -> SimulatedDelivery.CUT;
            case 3, 4, 5 -> SimulatedDelivery.overtakingAfter(delay);
            default -> SimulatedDelivery.after(delay);
          };
        });
    TrackerConnection connection =
        nodes.trackerConnection(nodes.connector("c-1", NettyNodes.CLIENT_TOKEN), "tracker");
    connection.start();
    for (int i = 0; i < 100; i++) {
      String taskId = "job-" + i;
      connection
          .call(cancel(taskId), SECOND)
          .whenComplete((reply, error) -> history.add(taskId + " " + reply + " " + error));
      nodes.timer.advance(Duration.ofMillis(20));
    }
    nodes.timer.advance(SECOND);
    history.addAll(nodes.tracker.seen);
    return history.stream().map(Object::toString).map(Object.class::cast).toList();
  }

  private Session connected() {
    nodes.serve("tracker");
    return nodes.connect("c-1", "tracker").join();
  }

  /** The first request goes one way, every other message the other way. */
  private void slowsDown(SimulatedDelivery slow, SimulatedDelivery others) {
    AtomicInteger sent = new AtomicInteger();
    nodes.network.setPolicy((parcel, random) -> sent.getAndIncrement() == 0 ? slow : others);
  }
}
