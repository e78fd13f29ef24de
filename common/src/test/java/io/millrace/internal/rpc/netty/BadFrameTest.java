package io.millrace.internal.rpc.netty;

import static io.millrace.internal.rpc.netty.NettyNodes.CLIENT_TOKEN;
import static io.millrace.internal.rpc.netty.NettyNodes.WORKER_TOKEN;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.millrace.api.CancelResult;
import io.millrace.internal.codec.JsonCodec;
import io.millrace.internal.frame.Frame;
import io.millrace.internal.frame.FrameCodec;
import io.millrace.internal.frame.FrameKind;
import io.millrace.internal.model.NodeRole;
import io.millrace.internal.protocol.Authenticate;
import io.millrace.internal.protocol.CancelRequest;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.protocol.Hello;
import io.millrace.internal.protocol.HelloReply;
import io.millrace.internal.protocol.PingReply;
import io.millrace.internal.protocol.RequestType;
import io.millrace.internal.rpc.ConnectionLimits;
import io.millrace.internal.rpc.connection.Connection;
import io.millrace.internal.rpc.connection.HandshakeProof;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/**
 * Each way to break the protocol: its connection is closed with one logged reason, nothing else.
 */
class BadFrameTest {
  private final WireFaults server = new WireFaults();
  private final Logger logger = (Logger) LoggerFactory.getLogger(Connection.class);
  private final ListAppender<ILoggingEvent> log = new ListAppender<>();

  @BeforeEach
  void listen() {
    log.start();
    logger.addAppender(log);
  }

  @AfterEach
  void stop() throws Exception {
    logger.detachAppender(log);
    server.close();
  }

  @Test
  void anotherProtocol() throws IOException {
    assertStrangerClosed(
        "GET / HTTP/1.1\r\nHost: a\r\n\r\n".getBytes(StandardCharsets.UTF_8),
        "not a Millrace frame");
  }

  @Test
  void wrongMagic() throws IOException {
    byte[] bytes = frameBytes();
    bytes[4] = 'X';
    assertClientClosed(bytes, "not a Millrace frame");
  }

  @Test
  void unknownLayoutVersion() throws IOException {
    byte[] bytes = frameBytes();
    bytes[6] = 2;
    assertClientClosed(bytes, "layout version 2");
  }

  @Test
  void unknownKind() throws IOException {
    byte[] bytes = frameBytes();
    bytes[7] = 9;
    assertClientClosed(bytes, "unknown kind 9");
  }

  @Test
  void negativeLength() throws IOException {
    assertClientClosed(ByteBuffer.allocate(4).putInt(-1).array(), "invalid frame length -1");
  }

  @Test
  void lengthShorterThanAHeader() throws IOException {
    assertClientClosed(ByteBuffer.allocate(4).putInt(13).array(), "invalid frame length 13");
  }

  @Test
  void announcedOversizeIsRefusedBeforeItIsSent() throws IOException {
    assertClientClosed(
        ByteBuffer.allocate(4).putInt(ConnectionLimits.DEFAULT.maxFrameBytes() - 3).array(),
        "at most 8388608 are allowed");
  }

  @Test
  void largestLengthThereIs() throws IOException {
    assertClientClosed(ByteBuffer.allocate(4).putInt(Integer.MAX_VALUE).array(), "2147483651");
  }

  @Test
  void strangersFrameOverTheSmallBound() throws IOException {
    assertStrangerClosed(ByteBuffer.allocate(4).putInt(20_000).array(), "at most 4096 are allowed");
  }

  @Test
  void truncatedFrame() throws IOException {
    try (RawPeer bad = server.client()) {
      bad.send(new byte[] {0, 0, 0});
      bad.finishSending();
      assertClosedFor(bad, "closed in the middle of a frame");
    }
  }

  @Test
  void bodyThatIsNotJson() throws IOException {
    assertClientClosed(RequestType.CANCEL, "{\"nodeGroup\":}", "bad JSON");
  }

  @Test
  void bodyThatIsNotUtf8() throws IOException {
    try (RawPeer bad = server.client()) {
      byte[] body = {'{', '"', (byte) 0xc3, '"', ':', '1', '}'};
      bad.send(new Frame(FrameKind.REQUEST, RequestType.CANCEL.code(), 3, body));
      assertClosedFor(bad, "not UTF-8");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {33, 1_000, 1_000_000})
  void bodyNestedTooDeepInAFieldNobodyReads(int depth) throws IOException {
    String body = "{\"x\":" + "[".repeat(depth) + "]".repeat(depth) + "}";
    assertClientClosed(RequestType.CANCEL, body, "nested deeper than 32");
  }

  @Test
  void numberThatNoLibraryReads() throws IOException {
    String body = "{\"nodeGroup\":\"orders\",\"taskId\":\"a\",\"x\":1e99999}";
    assertClientClosed(RequestType.CANCEL, body, "an exponent has more than 3 digits");
  }

  @Test
  void manyBadConnectionsOfOneAddressAreOneLine() throws IOException {
    for (int i = 0; i < 200; i++) {
      try (RawPeer bad = server.stranger()) {
        bad.send("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.UTF_8));
        assertThat(bad.isClosedByTracker()).isTrue();
      }
    }

    server.assertServes();
    assertThat(warnings()).hasSizeBetween(1, 199 / 4);
  }

  @Test
  void requestBeforeTheHello() throws IOException {
    try (RawPeer bad = server.stranger()) {
      bad.send(RequestType.CANCEL, 1, new CancelRequest("orders", "a"));
      assertClosedFor(bad, "instead of HELLO");
    }
  }

  @Test
  void replyBeforeTheHello() throws IOException {
    try (RawPeer bad = server.stranger()) {
      bad.send(new Frame(FrameKind.REPLY, RequestType.HELLO.code(), 1, json("{}")));
      assertClosedFor(bad, "instead of HELLO");
    }
  }

  @Test
  void requestBeforeTheProof() throws IOException {
    try (RawPeer bad = server.stranger()) {
      bad.send(RequestType.HELLO, 1, RawPeer.hello(NodeRole.CLIENT));
      bad.readReply(HelloReply.class);
      bad.send(RequestType.CANCEL, 2, new CancelRequest("orders", "a"));
      assertClosedFor(bad, "instead of AUTHENTICATE");
    }
  }

  @Test
  void secondHelloInTheHandshake() throws IOException {
    try (RawPeer bad = server.stranger()) {
      bad.send(RequestType.HELLO, 1, RawPeer.hello(NodeRole.CLIENT));
      bad.send(RequestType.HELLO, 2, RawPeer.hello(NodeRole.CLIENT));
      assertClosedFor(bad, "instead of AUTHENTICATE");
    }
  }

  @Test
  void secondHelloAfterTheHandshake() throws IOException {
    try (RawPeer bad = server.client()) {
      bad.send(RequestType.HELLO, 3, RawPeer.hello(NodeRole.WORKER));
      assertClosedFor(bad, "HELLO after the handshake");
    }
  }

  @Test
  void secondProofAfterTheHandshake() throws IOException {
    try (RawPeer bad = server.client()) {
      bad.send(RequestType.AUTHENTICATE, 3, new Authenticate("00"));
      assertClosedFor(bad, "AUTHENTICATE after the handshake");
    }
  }

  @Test
  void wrongToken() throws IOException {
    assertRefused(new HandshakeProof(WORKER_TOKEN, hello(), "").ofCaller());
  }

  @Test
  void tokenOfTheOtherRole() throws IOException {
    try (RawPeer bad = server.stranger()) {
      bad.send(RequestType.HELLO, 1, hello());
      String challenge = bad.readReply(HelloReply.class).challenge();
      assertRefusedBy(bad, new HandshakeProof(WORKER_TOKEN, hello(), challenge).ofCaller());
    }
  }

  @Test
  void proofForAnotherChallenge() throws IOException {
    assertRefused(new HandshakeProof(CLIENT_TOKEN, hello(), "an older one").ofCaller());
  }

  @Test
  void trackersOwnProofSentBack() throws IOException {
    try (RawPeer bad = server.stranger()) {
      bad.send(RequestType.HELLO, 1, hello());
      String challenge = bad.readReply(HelloReply.class).challenge();
      assertRefusedBy(bad, new HandshakeProof(CLIENT_TOKEN, hello(), challenge).ofTracker());
    }
  }

  @Test
  void emptyProof() throws IOException {
    assertRefused("");
  }

  @Test
  void noVersionInCommon() throws IOException {
    Hello future = new Hello(7, 9, NodeRole.CLIENT, "raw-1", "orders", RawPeer.NONCE);
    assertHelloRefused(
        future, ErrorCode.VERSION_MISMATCH, "supports versions 1 to 1, the caller 7");
  }

  @Test
  void helloOfATracker() throws IOException {
    assertHelloRefused(
        RawPeer.hello(NodeRole.TRACKER),
        ErrorCode.UNAUTHENTICATED,
        "does not accept connections of a TRACKER");
  }

  @Test
  void helloOfAnUnknownRole() throws IOException {
    assertHelloRefused(RawPeer.hello(NodeRole.UNKNOWN), ErrorCode.BAD_REQUEST, "role");
  }

  @Test
  void workerWithoutANodeGroup() throws IOException {
    Hello homeless = new Hello(1, 1, NodeRole.WORKER, "raw-1", "", RawPeer.NONCE);
    assertHelloRefused(homeless, ErrorCode.BAD_REQUEST, "node group '' must have 1 to 64 letters");
  }

  @Test
  void workerOfANodeGroupThatNoJobCanName() throws IOException {
    Hello idle = new Hello(1, 1, NodeRole.WORKER, "raw-1", "my/group", RawPeer.NONCE);
    assertHelloRefused(
        idle,
        ErrorCode.BAD_REQUEST,
        "node group 'my/group' must have 1 to 64 letters, digits, dots, underscores and"
            + " hyphens, and begin with a letter or digit");
  }

  @Test
  void clientGroupWithABlank() throws IOException {
    Hello spaced = new Hello(1, 1, NodeRole.CLIENT, "raw-1", "my group", RawPeer.NONCE);
    assertHelloRefused(
        spaced, ErrorCode.BAD_REQUEST, "client group 'my group' must have at most 128");
  }

  @Test
  void softwareThatNobodyWouldRead() throws IOException {
    Hello verbose =
        new Hello(
            1, 1, NodeRole.CLIENT, "raw-1", "orders", RawPeer.NONCE, "1.0 of the good old days");
    assertHelloRefused(verbose, ErrorCode.BAD_REQUEST, "software");
  }

  @Test
  void nodeIdThatWouldForgeALogLine() throws IOException {
    Hello forged = new Hello(1, 1, NodeRole.CLIENT, "a\nWARN b", "orders", RawPeer.NONCE);
    assertHelloRefused(forged, ErrorCode.BAD_REQUEST, "nodeId");
  }

  @Test
  void answerToARequestNeverSent() throws IOException {
    try (RawPeer bad = server.client()) {
      bad.send(new Frame(FrameKind.REPLY, RequestType.FEEDBACK.code(), 4_711, json("{}")));
      assertClosedFor(bad, "answer to a request that was never sent");
    }
  }

  @Test
  void unknownTypeIsAnsweredAndTheConnectionStays() throws IOException {
    try (RawPeer caller = server.client()) {
      caller.send(new Frame(FrameKind.REQUEST, 60_000, 3, json("{\"of\":\"tomorrow\"}")));

      assertThat(caller.readError().code()).isEqualTo(ErrorCode.UNSUPPORTED);
      assertStaysOpen(caller);
    }
  }

  @Test
  void missingFieldIsAnsweredByNameAndTheConnectionStays() throws IOException {
    try (RawPeer caller = server.client()) {
      caller.send(
          new Frame(FrameKind.REQUEST, RequestType.CANCEL.code(), 3, json("{\"taskId\":\"a\"}")));

      var error = caller.readError();
      assertThat(error.code()).isEqualTo(ErrorCode.BAD_REQUEST);
      assertThat(error.message()).isEqualTo("CancelRequest: nodeGroup is missing");
      assertStaysOpen(caller);
    }
  }

  @Test
  void fieldsOfANewerVersionArePassedOver() throws IOException {
    try (RawPeer caller = server.client()) {
      String body =
          "{\"new\":{\"a\":[1,{\"b\":null}]},\"nodeGroup\":\"orders\",\"taskId\":\"four\",\"x\":1}";
      caller.send(new Frame(FrameKind.REQUEST, RequestType.CANCEL.code(), 3, json(body)));

      assertThat(caller.readReply(CancelResult.class).cancelledTriggers()).isEqualTo(4);
    }
  }

  private static Hello hello() {
    return RawPeer.hello(NodeRole.CLIENT);
  }

  private static byte[] json(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] frameBytes() {
    byte[] body = new JsonCodec().encode(new CancelRequest("orders", "a"));
    return FrameCodec.encode(new Frame(FrameKind.REQUEST, RequestType.CANCEL.code(), 3, body))
        .array();
  }

  private void assertStaysOpen(RawPeer caller) throws IOException {
    caller.send(new Frame(FrameKind.REQUEST, RequestType.PING.code(), 4, json("{}")));
    assertThat(caller.readReply(PingReply.class)).isEqualTo(PingReply.ALIVE);
  }

  private void assertRefused(String proof) throws IOException {
    try (RawPeer bad = server.stranger()) {
      bad.send(RequestType.HELLO, 1, hello());
      bad.readReply(HelloReply.class);
      assertRefusedBy(bad, proof);
    }
  }

  private void assertRefusedBy(RawPeer bad, String proof) throws IOException {
    bad.send(RequestType.AUTHENTICATE, 2, new Authenticate(proof));
    assertThat(bad.readError().code()).isEqualTo(ErrorCode.UNAUTHENTICATED);
    assertClosedFor(bad, "UNAUTHENTICATED: wrong token");
  }

  private void assertHelloRefused(Hello hello, ErrorCode code, String reason) throws IOException {
    try (RawPeer bad = server.stranger()) {
      bad.send(RequestType.HELLO, 1, hello);
      var error = bad.readError();
      assertThat(error.code()).isEqualTo(code);
      assertThat(error.message()).contains(reason);
      assertClosedFor(bad, code.name());
    }
  }

  private void assertStrangerClosed(byte[] bytes, String reason) throws IOException {
    try (RawPeer bad = server.stranger()) {
      bad.send(bytes);
      assertClosedFor(bad, reason);
    }
  }

  private void assertClientClosed(RequestType type, String body, String reason) throws IOException {
    try (RawPeer bad = server.client()) {
      bad.send(new Frame(FrameKind.REQUEST, type.code(), 3, json(body)));
      assertClosedFor(bad, reason);
    }
  }

  private void assertClientClosed(byte[] bytes, String reason) throws IOException {
    try (RawPeer bad = server.client()) {
      bad.send(bytes);
      assertClosedFor(bad, reason);
    }
  }

  private void assertClosedFor(RawPeer bad, String reason) throws IOException {
    server.assertClosesOnly(bad);
    await().untilAsserted(() -> assertThat(warnings()).isNotEmpty());
    assertThat(warnings()).singleElement().asString().contains(reason);
    log.list.clear();
  }

  private List<String> warnings() {
    return List.copyOf(log.list).stream()
        .filter(event -> event.getLevel().isGreaterOrEqual(Level.WARN))
        .map(ILoggingEvent::getFormattedMessage)
        .toList();
  }
}
