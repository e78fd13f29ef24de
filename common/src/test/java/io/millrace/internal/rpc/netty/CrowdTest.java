package io.millrace.internal.rpc.netty;

import static io.millrace.internal.rpc.netty.NettyNodes.CLIENT_TOKEN;
import static io.millrace.internal.rpc.netty.NettyNodes.SOON;
import static io.millrace.internal.rpc.netty.NettyNodes.TOKENS;
import static io.millrace.internal.rpc.netty.NettyNodes.WORKER_TOKEN;
import static io.millrace.internal.rpc.netty.NettyNodes.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.millrace.api.Disposition;
import io.millrace.api.TriggerResult;
import io.millrace.internal.frame.Frame;
import io.millrace.internal.frame.FrameCodec;
import io.millrace.internal.frame.FrameKind;
import io.millrace.internal.model.NodeRole;
import io.millrace.internal.protocol.Authenticate;
import io.millrace.internal.protocol.CancelRequest;
import io.millrace.internal.protocol.FeedbackRequest;
import io.millrace.internal.protocol.HelloReply;
import io.millrace.internal.protocol.RequestType;
import io.millrace.internal.rpc.ConnectionLimits;
import io.millrace.internal.rpc.CutReason;
import io.millrace.internal.rpc.RpcServerConfig;
import io.millrace.internal.rpc.ServerLimits;
import io.millrace.internal.rpc.Session;
import io.millrace.internal.rpc.connection.WrongProofs;
import io.millrace.internal.rpc.netty.NettyNodes.Served;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Many connections that withhold something: what the server holds stays bounded, others go on. */
class CrowdTest {
  private static final long MIB = 1L << 20;

  private final NettyNodes nodes = new NettyNodes();
  private final ExecutorService sender = Executors.newSingleThreadExecutor();
  private final List<RawPeer> crowd = new ArrayList<>();

  @AfterEach
  void close() throws Exception {
    for (RawPeer peer : crowd) {
      peer.close();
    }
    sender.shutdownNow();
    nodes.close();
  }

  /** More than all buffers between the two ends can hold: the server must stop reading. */
  @Test
  void nothingIsReadOfAPeerThatDoesNotReadAndEachPingIsAnsweredInTheEnd() throws Exception {
    int pings = 600_000;
    Served server = serve(limits(Duration.ofSeconds(30)), ServerLimits.DEFAULT);
    RawPeer slow = join(server, NodeRole.CLIENT);
    Socket socket = slow.socket();
    socket.setReceiveBufferSize(64 << 10); // or it might take all answers by itself
    AtomicLong progress = new AtomicLong();
    CompletableFuture<Void> sent =
        CompletableFuture.runAsync(() -> sendPings(socket, pings, progress), sender);

    await()
        .atMost(Duration.ofSeconds(60))
        .during(Duration.ofMillis(500))
        .until(standsStill(server, progress));
    assertGoesOn(server);

    assertThat(sent).isNotDone();
    assertThat(server.counts().unsentBytes()).isLessThan(MIB);
    assertThat(readFrames(socket, pings)).isEqualTo(3L + pings - 1);
    get(sent);
    await().until(() -> server.counts().unsentBytes() == 0);
    assertThat(server.counts().cut(CutReason.UNSENT)).isZero();
  }

  /** Whether answers wait, and no more was sent since the last look, be the sender ever so slow. */
  private static Callable<Boolean> standsStill(Served server, AtomicLong progress) {
    AtomicLong before = new AtomicLong(-1);
    return () ->
        before.getAndSet(progress.get()) == progress.get() && server.counts().unsentBytes() > 0;
  }

  private static void sendPings(Socket socket, int count, AtomicLong progress) {
    ByteBuffer batch = ByteBuffer.allocate(1_000 * (FrameCodec.HEADER_BYTES + 2));
    try {
      OutputStream out = socket.getOutputStream();
      for (int i = 0; i < count; i += 1_000) {
        batch.clear();
        for (int k = 0; k < 1_000; k++) {
          Frame ping =
              new Frame(
                  FrameKind.REQUEST, RequestType.PING.code(), 3L + i + k, new byte[] {'{', '}'});
          batch.put(FrameCodec.encode(ping));
        }
        out.write(batch.array());
        progress.addAndGet(1_000);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the id of the last of so many frames, which must come in order. */
  private static long readFrames(Socket socket, int count) throws IOException {
    DataInputStream in =
        new DataInputStream(new BufferedInputStream(socket.getInputStream(), 1 << 16));
    long last = 2;
    for (int i = 0; i < count; i++) {
      byte[] rest = in.readNBytes(in.readInt());
      long id = ByteBuffer.wrap(rest).getLong(6);
      assertThat(id).isEqualTo(last + 1);
      last = id;
    }
    return last;
  }

  @Test
  void ofManySlowReadersThoseBehindForTheLongestAreCutAndReadersGoOn() throws Exception {
    long bound = 2 * MIB;
    Served server =
        serve(limits(Duration.ofSeconds(30)), new ServerLimits(100, 100, bound, 64 * MIB));
    for (int i = 0; i < 6; i++) {
      crowd.add(join(server, NodeRole.CLIENT));
    }
    await().until(() -> nodes.sessions.size() == 6);
    List<Session> sessions = List.copyOf(nodes.sessions);

    for (int i = 0; i < 100; i++) {
      sessions.forEach(session -> session.call(feedbackOfBytes(1 << 17), SOON));
      assertThat(server.counts().unsentBytes()).isLessThanOrEqualTo(bound + (1 << 18));
    }

    await().until(() -> server.counts().cut(CutReason.UNSENT_OF_ALL) > 0);
    await().until(() -> server.counts().unsentBytes() <= bound);
    assertGoesOn(server);
  }

  @Test
  void incompleteFramesOfAllTogetherAreBoundedAndTheOldestIsCut() throws Exception {
    long bound = 2 * MIB;
    Served server =
        serve(limits(Duration.ofSeconds(30)), new ServerLimits(100, 100, 64 * MIB, bound));
    byte[] most = beginningOfAFrame(900 << 10);
    for (int i = 0; i < 8; i++) {
      RawPeer peer = join(server, NodeRole.CLIENT);
      crowd.add(peer);
      peer.send(most);
    }

    await().until(() -> server.counts().cut(CutReason.RECEIVED_OF_ALL) >= 5);

    assertThat(server.counts().receivedBytes()).isLessThanOrEqualTo(bound);
    assertThat(crowd.get(0).isClosedByTracker()).isTrue();
    assertGoesOn(server);
  }

  /** The beginning of a frame of a MiB. */
  private static byte[] beginningOfAFrame(int bytes) {
    byte[] frame =
        FrameCodec.encode(
                new Frame(
                    FrameKind.REQUEST, RequestType.SUBMIT.code(), 3, new byte[(1 << 20) - 100]))
            .array();
    return Arrays.copyOf(frame, bytes);
  }

  @Test
  void frameThatIsNotCompleteInTimeClosesItsConnection() throws Exception {
    ConnectionLimits limits =
        new ConnectionLimits(
            1 << 20, 256, 4 << 20, SOON, Duration.ofMillis(1_500), Duration.ofMillis(700));
    Served server = serve(limits, ServerLimits.DEFAULT);
    try (RawPeer slow = join(server, NodeRole.CLIENT)) {
      slow.send(beginningOfAFrame(1_000));

      assertThat(slow.isClosedByTracker()).isTrue();
    }
    assertThat(server.counts().cut(CutReason.SLOW_FRAME)).isEqualTo(1);
  }

  @Test
  void strangersWhoSayNothingCrowdOutOneAnotherAndNobodyElse() throws Exception {
    Served server =
        serve(limits(Duration.ofSeconds(30)), new ServerLimits(100, 3, 64 * MIB, 64 * MIB));
    for (int i = 0; i < 5; i++) {
      crowd.add(RawPeer.connect(server.address()));
    }

    await().until(() -> server.counts().cut(CutReason.CROWDED_OUT) == 2);
    assertThat(crowd.get(0).isClosedByTracker()).isTrue();
    assertThat(crowd.get(1).isClosedByTracker()).isTrue();
    assertGoesOn(server);
  }

  @Test
  void strangerMakesRoomWhenAllConnectionsAreTaken() throws Exception {
    Served server =
        serve(limits(Duration.ofSeconds(30)), new ServerLimits(3, 3, 64 * MIB, 64 * MIB));
    RawPeer known = join(server, NodeRole.CLIENT);
    crowd.add(known);
    crowd.add(RawPeer.connect(server.address()));
    crowd.add(RawPeer.connect(server.address()));

    RawPeer next = join(server, NodeRole.WORKER);
    crowd.add(next);

    assertThat(crowd.get(1).isClosedByTracker()).isTrue();
    await().until(() -> server.counts().cut(CutReason.CROWDED_OUT) == 1);
    assertThat(server.counts().refusedConnections()).isZero();
  }

  @Test
  void wrongProofsAreCountedAndARightOneIsNotDelayed() throws Exception {
    Served server = serve(limits(Duration.ofSeconds(30)), ServerLimits.DEFAULT);
    for (int i = 0; i <= WrongProofs.FREE; i++) {
      try (RawPeer guesser = RawPeer.connect(server.address())) {
        guesser.send(RequestType.HELLO, 1, RawPeer.hello(NodeRole.CLIENT));
        guesser.readReply(HelloReply.class);
        guesser.send(RequestType.AUTHENTICATE, 2, new Authenticate("00"));
        guesser.send(RequestType.AUTHENTICATE, 3, new Authenticate("01"));
        assertThat(guesser.isClosedByTracker()).isTrue();
      }
    }

    assertThat(server.counts().cut(CutReason.WRONG_PROOF)).isEqualTo(WrongProofs.FREE + 1);
    assertGoesOn(server);
  }

  private Served serve(ConnectionLimits limits, ServerLimits together) {
    return nodes.start(
        new RpcServerConfig("127.0.0.1", 0, null, 0, TOKENS, null, together, limits));
  }

  private static ConnectionLimits limits(Duration idle) {
    return new ConnectionLimits(1 << 20, 256, 32 << 20, SOON, idle, ConnectionLimits.FRAME_TIMEOUT);
  }

  private static RawPeer join(Served server, NodeRole role) throws IOException {
    return RawPeer.greeted(
        server.address(), role, role == NodeRole.CLIENT ? CLIENT_TOKEN : WORKER_TOKEN);
  }

  private void assertGoesOn(Served server) {
    Session good = nodes.connect(server.address(), NodeRole.CLIENT, CLIENT_TOKEN);
    assertThat(get(good.call(new CancelRequest("orders", "four"), SOON)).cancelledTriggers())
        .isEqualTo(4);
    good.close();
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
}
