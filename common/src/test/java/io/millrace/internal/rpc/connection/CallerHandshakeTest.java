package io.millrace.internal.rpc.connection;

import static io.millrace.internal.rpc.RpcFailures.assertFails;
import static io.millrace.internal.rpc.netty.NettyNodes.CLIENT_TOKEN;
import static io.millrace.internal.rpc.netty.NettyNodes.WORKER_TOKEN;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.internal.model.NodeRole;
import io.millrace.internal.protocol.Authenticate;
import io.millrace.internal.protocol.AuthenticateReply;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.protocol.Hello;
import io.millrace.internal.protocol.HelloReply;
import io.millrace.internal.protocol.PingReply;
import io.millrace.internal.protocol.RequestType;
import io.millrace.internal.rpc.RpcConnectorConfig;
import io.millrace.internal.rpc.Session;
import io.millrace.internal.rpc.Token;
import io.millrace.internal.rpc.netty.NettyNodes;
import io.millrace.internal.rpc.netty.RawPeer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A caller believes nobody to be its tracker who does not prove it. */
class CallerHandshakeTest {
  private static final String CHALLENGE = "a challenge of the tracker";

  private final NettyNodes nodes = new NettyNodes();
  private ServerSocket impostor;

  @BeforeEach
  void listen() throws IOException {
    impostor = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
  }

  @AfterEach
  void close() throws Exception {
    nodes.close();
    impostor.close();
  }

  @Test
  void trackerThatProvesTheTokenIsBelieved() throws IOException {
    CompletableFuture<Session> result = connect(CLIENT_TOKEN);
    try (RawPeer tracker = RawPeer.accept(impostor)) {
      HandshakeProof proof = greet(tracker, CLIENT_TOKEN);
      assertThat(proof.isOfCaller(tracker.readRequest(Authenticate.class).proof())).isTrue();
      tracker.reply(RequestType.AUTHENTICATE, 2, new AuthenticateReply(proof.ofTracker()));

      assertThat(NettyNodes.get(result).peer().nodeId()).isEqualTo("t-1");
    }
  }

  @Test
  void trackerWithAnotherTokenIsNotBelieved() throws IOException {
    CompletableFuture<Session> result = connect(CLIENT_TOKEN);
    try (RawPeer tracker = RawPeer.accept(impostor)) {
      HandshakeProof proof = greet(tracker, WORKER_TOKEN);
      tracker.readRequest(Authenticate.class);
      tracker.reply(RequestType.AUTHENTICATE, 2, new AuthenticateReply(proof.ofTracker()));

      assertFails(result, ErrorCode.UNAUTHENTICATED).hasMessageContaining("its proof is wrong");
    }
  }

  @Test
  void callersOwnProofSentBackIsNotBelieved() throws IOException {
    CompletableFuture<Session> result = connect(CLIENT_TOKEN);
    try (RawPeer tracker = RawPeer.accept(impostor)) {
      greet(tracker, CLIENT_TOKEN);
      String echoed = tracker.readRequest(Authenticate.class).proof();
      tracker.reply(RequestType.AUTHENTICATE, 2, new AuthenticateReply(echoed));

      assertFails(result, ErrorCode.UNAUTHENTICATED);
    }
  }

  @Test
  void trackerThatAsksForNoProofIsNotBelievedByACallerWithAToken() throws IOException {
    CompletableFuture<Session> result = connect(CLIENT_TOKEN);
    try (RawPeer tracker = RawPeer.accept(impostor)) {
      tracker.readRequest(Hello.class);
      tracker.reply(RequestType.HELLO, 1, new HelloReply(1, "t-1", CHALLENGE, false));

      assertFails(result, ErrorCode.UNAUTHENTICATED)
          .hasMessageContaining("cannot prove its identity");
      assertThat(tracker.read()).as("nothing but the hello was told").isNull();
    }
  }

  @Test
  void callerWithoutATokenSaysThatOneIsDemanded() throws IOException {
    CompletableFuture<Session> result = connect(null);
    try (RawPeer tracker = RawPeer.accept(impostor)) {
      tracker.readRequest(Hello.class);
      tracker.reply(RequestType.HELLO, 1, new HelloReply(1, "t-1", CHALLENGE, true));

      assertFails(result, ErrorCode.UNAUTHENTICATED)
          .hasMessageContaining("requires the token of CLIENTS");
    }
  }

  @Test
  void versionThatWasNotOfferedIsAMismatch() throws IOException {
    CompletableFuture<Session> result = connect(null);
    try (RawPeer tracker = RawPeer.accept(impostor)) {
      tracker.readRequest(Hello.class);
      tracker.reply(RequestType.HELLO, 1, new HelloReply(2, "t-1", CHALLENGE, false));

      assertFails(result, ErrorCode.VERSION_MISMATCH).hasMessageContaining("version 2");
    }
  }

  @Test
  void answerOfAnotherTypeEndsTheHandshake() throws IOException {
    CompletableFuture<Session> result = connect(null);
    try (RawPeer tracker = RawPeer.accept(impostor)) {
      tracker.readRequest(Hello.class);
      tracker.reply(RequestType.PING, 1, PingReply.ALIVE);

      assertFails(result, ErrorCode.UNAVAILABLE)
          .hasMessageContaining("instead of an answer to HELLO");
    }
  }

  @Test
  void garbageInThePlaceOfAnAnswerEndsTheHandshake() throws IOException {
    CompletableFuture<Session> result = connect(null);
    try (RawPeer tracker = RawPeer.accept(impostor)) {
      tracker.send("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.UTF_8));

      assertFails(result, ErrorCode.UNAVAILABLE).hasMessageContaining("not a Millrace frame");
    }
  }

  @Test
  void trackerThatHangsUpEndsTheHandshake() throws IOException {
    CompletableFuture<Session> result = connect(null);
    RawPeer.accept(impostor).close();

    assertFails(result, ErrorCode.UNAVAILABLE).hasMessageContaining("closed");
  }

  private CompletableFuture<Session> connect(@Nullable Token token) {
    String address = "127.0.0.1:" + impostor.getLocalPort();
    return nodes
        .connector(RpcConnectorConfig.of(NodeRole.CLIENT, "c-1", "shop", token))
        .connect(address, nodes.caller);
  }

  private static HandshakeProof greet(RawPeer tracker, Token token) throws IOException {
    Hello hello = tracker.readRequest(Hello.class);
    tracker.reply(RequestType.HELLO, 1, new HelloReply(1, "t-1", CHALLENGE, true));
    return new HandshakeProof(token, hello, CHALLENGE);
  }
}
