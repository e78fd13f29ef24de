package io.millrace.internal.rpc.netty;

import static io.millrace.internal.rpc.netty.NettyNodes.CLIENT_TOKEN;
import static io.millrace.internal.rpc.netty.NettyNodes.SOON;
import static io.millrace.internal.rpc.netty.NettyNodes.TOKENS;
import static io.millrace.internal.rpc.netty.NettyNodes.WORKER_TOKEN;
import static io.millrace.internal.rpc.netty.NettyNodes.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.millrace.api.CancelResult;
import io.millrace.api.Disposition;
import io.millrace.api.Job;
import io.millrace.api.TriggerResult;
import io.millrace.internal.LogCapture;
import io.millrace.internal.codec.JsonCodec;
import io.millrace.internal.frame.Frame;
import io.millrace.internal.frame.FrameCodec;
import io.millrace.internal.frame.FrameKind;
import io.millrace.internal.model.NodeRole;
import io.millrace.internal.protocol.CancelRequest;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.protocol.FeedbackReply;
import io.millrace.internal.protocol.FeedbackRequest;
import io.millrace.internal.protocol.Hello;
import io.millrace.internal.protocol.JobSubmission;
import io.millrace.internal.protocol.PullReply;
import io.millrace.internal.protocol.PullRequest;
import io.millrace.internal.protocol.Request;
import io.millrace.internal.protocol.RequestType;
import io.millrace.internal.protocol.SubmitRequest;
import io.millrace.internal.rpc.ConnectionLimits;
import io.millrace.internal.rpc.HostPort;
import io.millrace.internal.rpc.Peer;
import io.millrace.internal.rpc.RpcConnectorConfig;
import io.millrace.internal.rpc.RpcException;
import io.millrace.internal.rpc.RpcFailures;
import io.millrace.internal.rpc.RpcServerConfig;
import io.millrace.internal.rpc.ScriptedHandler;
import io.millrace.internal.rpc.ServerLimits;
import io.millrace.internal.rpc.Session;
import io.millrace.internal.rpc.connection.SoftwareVersion;
import io.millrace.internal.rpc.tracker.TrackerConnection;
import io.millrace.internal.rpc.tracker.TrackerConnectionConfig;
import io.millrace.internal.time.SystemClock;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.PrimitiveIterator;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class NettyRpcTest {
  private final NettyNodes nodes = new NettyNodes();

  @AfterEach
  void closeNodes() throws Exception {
    nodes.close();
  }

  @Test
  void callerAndTrackerAskEachOtherOverOneConnection() {
    Session session = nodes.connect(serve(), NodeRole.CLIENT, CLIENT_TOKEN);

    assertThat(get(session.call(new CancelRequest("orders", "four"), SOON)))
        .isEqualTo(new CancelResult(true, 4, 0));
    assertThat(get(sessionOfTheTracker().call(new FeedbackRequest(List.of()), SOON)))
        .isEqualTo(new FeedbackReply(0));
  }

  /** The caller may know that it is connected a moment before the tracker does. */
  private Session sessionOfTheTracker() {
    await().until(() -> !nodes.sessions.isEmpty());
    return nodes.sessions.element();
  }

  @Test
  void connectorThatIsClosedWhileItConnectsLeavesNothingInTheLog() {
    String address = serve();
    RpcConnectorConfig config =
        RpcConnectorConfig.of(NodeRole.CLIENT, "node-1", "orders", CLIENT_TOKEN);
    try (LogCapture netty = new LogCapture("io.netty")) {
      for (int i = 0; i < 200; i++) {
        NettyRpcConnector connector =
            new NettyRpcConnector(config, nodes.timer(), new SystemClock(), 1);
        CompletableFuture<Void> begun = new CompletableFuture<>();
        CompletableFuture<Void> connects =
            CompletableFuture.runAsync(
                () -> connectUntilClosed(connector, address, begun),
                task -> new Thread(task).start());
        get(begun);
        connector.close();
        get(connects);
      }
      assertThat(netty.lines()).isEmpty();
    }
  }

  private void connectUntilClosed(
      NettyRpcConnector connector, String address, CompletableFuture<Void> begun) {
    for (int i = 0; i < 20; i++) {
      CompletableFuture<Session> attempt = connector.connect(address, nodes.caller);
      begun.complete(null);
      if (attempt.isCompletedExceptionally()) {
        return;
      }
    }
  }

  @Test
  void closedConnectorConnectsNoMore() {
    NettyRpcConnector connector =
        nodes.connector(RpcConnectorConfig.of(NodeRole.CLIENT, "node-1", "orders", CLIENT_TOKEN));
    connector.close();

    assertThatThrownBy(() -> get(connector.connect("127.0.0.1:1", nodes.caller)))
        .hasMessageContaining("this connector is closed");
  }

  @Test
  void eachEndKnowsWhoTheOtherIs() {
    String address = serve();
    Session session = nodes.connect(address, NodeRole.WORKER, WORKER_TOKEN);

    assertThat(session.peer()).isEqualTo(new Peer(NodeRole.TRACKER, "tracker-1", "", address));
    Peer caller = sessionOfTheTracker().peer();
    assertThat(caller.role()).isEqualTo(NodeRole.WORKER);
    assertThat(caller.nodeId()).isEqualTo("node-1");
    assertThat(caller.group()).isEqualTo("orders");
    assertThat(caller.address()).startsWith("127.0.0.1:");
    assertThat(caller.software()).isEqualTo(SoftwareVersion.here());
  }

  @Test
  void trackerKnowsTheSoftwareThatACallerSaysItIs() throws IOException {
    String address = nodes.serve(RpcServerConfig.onLoopback(0));
    try (RawPeer caller = RawPeer.connect(address)) {
      Hello hello =
          new Hello(1, 1, NodeRole.WORKER, "raw-1", "orders", RawPeer.NONCE, "2.0.0-rc.1");
      caller.send(RequestType.HELLO, 1, hello);

      assertThat(sessionOfTheTracker().peer().software()).isEqualTo("2.0.0-rc.1");
    }
  }

  @Test
  void loopbackTrackerWithoutTokensTakesCallersWithoutProof() {
    Session session =
        nodes.connect(nodes.serve(RpcServerConfig.onLoopback(0)), NodeRole.WORKER, null);

    assertThat(get(session.call(new PullRequest(1, 0, List.of(), List.of()), SOON)))
        .isEqualTo(PullReply.of(List.of(), List.of()));
  }

  @Test
  void roleMayNotAskWhatIsNotItsOwn() {
    String address = serve();
    Session client = nodes.connect(address, NodeRole.CLIENT, CLIENT_TOKEN);
    Session worker = nodes.connect(address, NodeRole.WORKER, WORKER_TOKEN);

    assertFails(client, new PullRequest(1, 1, List.of(), List.of()), ErrorCode.FORBIDDEN);
    assertFails(client, new FeedbackRequest(List.of()), ErrorCode.FORBIDDEN);
    assertFails(worker, new CancelRequest("orders", "a"), ErrorCode.FORBIDDEN);
    assertFails(sessionOfTheTracker(), new CancelRequest("orders", "a"), ErrorCode.FORBIDDEN);
    assertThat(nodes.tracker.seen).isEmpty();
    assertThat(client.isOpen()).isTrue();
  }

  @Test
  void handlersErrorTravelsWithItsCode() {
    Session session = nodes.connect(serve(), NodeRole.CLIENT, CLIENT_TOKEN);

    assertFails(session, cancel(ScriptedHandler.UNAVAILABLE), ErrorCode.UNAVAILABLE)
        .hasMessageContaining("the store is out of reach");
  }

  @Test
  void unforeseenFailureIsInternalAndTellsNothing() {
    Session session = nodes.connect(serve(), NodeRole.CLIENT, CLIENT_TOKEN);

    assertFails(session, cancel(ScriptedHandler.BREAKS), ErrorCode.INTERNAL)
        .hasMessageNotContaining("secret");
    assertThat(session.isOpen()).isTrue();
  }

  @Test
  void callWithoutAnAnswerFailsWhenItsTimeIsOver() {
    Session session = nodes.connect(serve(), NodeRole.CLIENT, CLIENT_TOKEN);

    CompletableFuture<CancelResult> call =
        session.call(cancel(ScriptedHandler.WAITS), Duration.ofMillis(50));

    RpcFailures.assertFails(call, ErrorCode.UNAVAILABLE)
        .hasMessageContaining("no answer from TRACKER tracker-1");
  }

  @Test
  void answerThatComesTooLateHarmsNothing() {
    Session session = nodes.connect(serve(), NodeRole.CLIENT, CLIENT_TOKEN);
    CompletableFuture<CancelResult> call =
        session.call(cancel(ScriptedHandler.WAITS), Duration.ofMillis(50));
    await().until(call::isCompletedExceptionally);

    nodes.tracker.release();

    assertThat(get(session.call(cancel("four"), SOON)).cancelledTriggers()).isEqualTo(4);
    assertThat(session.isOpen()).isTrue();
  }

  @Test
  void tooManyRequestsUnderWayAreRefusedAndLaterOnesTaken() {
    ConnectionLimits limits =
        new ConnectionLimits(
            1 << 20, 2, 1 << 20, SOON, Duration.ofSeconds(30), ConnectionLimits.FRAME_TIMEOUT);
    Session session = nodes.connect(serve(limits), NodeRole.CLIENT, CLIENT_TOKEN);
    CompletableFuture<CancelResult> first = session.call(cancel(ScriptedHandler.WAITS), SOON);
    CompletableFuture<CancelResult> second = session.call(cancel(ScriptedHandler.WAITS), SOON);

    assertFails(session, cancel("a"), ErrorCode.UNAVAILABLE).hasMessageContaining("too many");

    nodes.tracker.release();
    assertThat(get(first).found()).isTrue();
    assertThat(get(second).found()).isTrue();
    assertThat(get(session.call(cancel("a"), SOON)).found()).isTrue();
  }

  @Test
  void closingOneEndFailsCallsAndTellsTheOther() {
    Session session = nodes.connect(serve(), NodeRole.CLIENT, CLIENT_TOKEN);
    CompletableFuture<CancelResult> call = session.call(cancel(ScriptedHandler.WAITS), SOON);
    await().until(() -> nodes.tracker.waiting() == 1);
    AtomicInteger told = new AtomicInteger();
    session.onClose(told::incrementAndGet);

    sessionOfTheTracker().close();

    RpcFailures.assertFails(call, ErrorCode.UNAVAILABLE);
    await().until(() -> told.get() == 1);
    assertThat(session.isOpen()).isFalse();
    session.onClose(told::incrementAndGet);
    assertThat(told).hasValue(2);
    assertFails(session, cancel("a"), ErrorCode.UNAVAILABLE);
  }

  @Test
  void largeSubmitPassesAndOneOverTheLimitIsRefusedBeforeItIsSent() {
    Session session = nodes.connect(serve(), NodeRole.CLIENT, CLIENT_TOKEN);

    assertThat(get(session.call(submitOfBytes(7 << 20), SOON)).results()).isEmpty();
    assertFails(session, submitOfBytes(9 << 20), ErrorCode.BAD_REQUEST)
        .hasMessageContaining("SubmitRequest");
    assertThat(session.isOpen()).isTrue();
  }

  @Test
  void readerThatDoesNotReadIsClosed() throws Exception {
    ConnectionLimits limits =
        new ConnectionLimits(
            1 << 20, 256, 4 << 20, SOON, Duration.ofSeconds(30), ConnectionLimits.FRAME_TIMEOUT);
    String address = serve(limits);
    try (RawPeer slow = RawPeer.greeted(address, NodeRole.CLIENT, CLIENT_TOKEN)) {
      Session session = sessionOfTheTracker();

      for (int i = 0; i < 100 && session.isOpen(); i++) {
        session.call(feedbackOfBytes(1 << 19), SOON);
      }

      assertThat(session.isOpen()).isFalse();
    }
    Session good = nodes.connect(address, NodeRole.CLIENT, CLIENT_TOKEN);
    assertThat(get(good.call(cancel("a"), SOON)).found()).isTrue();
  }

  @Test
  void connectionBeyondTheMostIsClosedAtOnceAndRoomIsUsedAgain() {
    RpcServerConfig config =
        new RpcServerConfig(
            "127.0.0.1",
            0,
            null,
            0,
            TOKENS,
            null,
            new ServerLimits(1, 1_000, 64 << 20, 64 << 20),
            ConnectionLimits.DEFAULT);
    String address = nodes.serve(config);
    Session first = nodes.connect(address, NodeRole.CLIENT, CLIENT_TOKEN);

    assertThatThrownBy(() -> nodes.connect(address, NodeRole.CLIENT, CLIENT_TOKEN))
        .hasCauseInstanceOf(RpcException.class);

    first.close();
    await()
        .ignoreExceptions()
        .until(() -> nodes.connect(address, NodeRole.CLIENT, CLIENT_TOKEN).isOpen());
  }

  @Test
  void callerThatFallsSilentIsClosed() throws Exception {
    ConnectionLimits limits =
        new ConnectionLimits(
            1 << 20, 2, 1 << 20, SOON, Duration.ofMillis(300), ConnectionLimits.FRAME_TIMEOUT);
    try (RawPeer silent = RawPeer.greeted(serve(limits), NodeRole.CLIENT, CLIENT_TOKEN)) {
      assertThat(silent.isClosedByTracker()).isTrue();
    }
  }

  @Test
  void callerThatSendsALargeFrameSlowlyIsNotSilent() throws Exception {
    ConnectionLimits limits =
        new ConnectionLimits(
            1 << 20, 2, 1 << 20, SOON, Duration.ofSeconds(2), ConnectionLimits.FRAME_TIMEOUT);
    byte[] body = new JsonCodec().encode(cancel("four"));
    byte[] bytes =
        FrameCodec.encode(new Frame(FrameKind.REQUEST, RequestType.CANCEL.code(), 3, body)).array();
    try (RawPeer slow = RawPeer.greeted(serve(limits), NodeRole.CLIENT, CLIENT_TOKEN)) {
      PrimitiveIterator.OfInt rest = IntStream.range(0, bytes.length).iterator();

      await()
          .pollInterval(Duration.ofMillis(50))
          .until(
              () -> {
                slow.send(new byte[] {bytes[rest.nextInt()]});
                return !rest.hasNext();
              });

      assertThat(slow.readReply(CancelResult.class).cancelledTriggers()).isEqualTo(4);
    }
  }

  @Test
  void trackerThatComesBackOnItsPortIsFoundAgain() {
    String address = serve();
    TrackerConnection connection =
        new TrackerConnection(
            nodes.connector(RpcConnectorConfig.of(NodeRole.CLIENT, "c-1", "", CLIENT_TOKEN)),
            nodes.caller,
            TrackerConnectionConfig.of(List.of(address)),
            nodes.timer(),
            Runnable::run,
            new Random(1));
    connection.start();
    assertThat(connection.awaitConnected(SOON).isOpen()).isTrue();

    nodes.stopServing();
    await().until(() -> connection.session() == null);
    nodes.serve(
        new RpcServerConfig(
            "127.0.0.1",
            HostPort.parse(address).port(),
            null,
            0,
            TOKENS,
            null,
            ServerLimits.DEFAULT,
            ConnectionLimits.DEFAULT));

    assertThat(get(connection.awaitConnected(SOON).call(cancel("four"), SOON)).found()).isTrue();
    connection.close();
  }

  @Test
  void callerThatNeverSaysHelloIsClosed() throws Exception {
    ConnectionLimits limits =
        new ConnectionLimits(
            1 << 20,
            2,
            1 << 20,
            Duration.ofMillis(200),
            Duration.ofSeconds(30),
            ConnectionLimits.FRAME_TIMEOUT);
    try (RawPeer mute = RawPeer.connect(serve(limits))) {
      assertThat(mute.isClosedByTracker()).isTrue();
    }
  }

  @Test
  void nobodyListeningIsUnavailableAndNamesTheAddress() {
    String address = nodes.serve(RpcServerConfig.onLoopback(0));
    String free = address.substring(0, address.indexOf(':')) + ":1";

    NettyRpcConnector connector =
        nodes.connector(RpcConnectorConfig.of(NodeRole.CLIENT, "node-1", "", null));

    RpcFailures.assertFails(connector.connect(free, nodes.caller), ErrorCode.UNAVAILABLE)
        .hasMessageContaining(free);
  }

  @Test
  void textThatIsNoAddressIsUnavailableAndSaysSo() {
    for (String text : List.of("", "localhost", "localhost:", ":1", "localhost:70000", "a:b:1")) {
      assertThatThrownBy(() -> nodes.connect(text, NodeRole.CLIENT, null))
          .isInstanceOf(CompletionException.class)
          .hasMessageContaining("host:port");
    }
  }

  private String serve() {
    return serve(ConnectionLimits.DEFAULT);
  }

  private String serve(ConnectionLimits limits) {
    return nodes.serve(
        new RpcServerConfig("127.0.0.1", 0, null, 0, TOKENS, null, ServerLimits.DEFAULT, limits));
  }

  private static CancelRequest cancel(String taskId) {
    return new CancelRequest("orders", taskId);
  }

  private static SubmitRequest submitOfBytes(int bytes) {
    Job job = Job.builder("orders", "large").param("text", "x".repeat(bytes)).build();
    return new SubmitRequest(List.of(new JobSubmission("s-1", job)));
  }

  private static FeedbackRequest feedbackOfBytes(int bytes) {
    return new FeedbackRequest(
        List.of(
            new TriggerResult(
                "orders",
                "a",
                Instant.EPOCH,
                0,
                Disposition.SUCCEEDED,
                1,
                "x".repeat(bytes),
                Instant.EPOCH)));
  }

  private static AbstractThrowableAssert<?, ?> assertFails(
      Session session, Request<?> request, ErrorCode code) {
    return RpcFailures.assertFails(session.call(request, SOON), code);
  }
}
