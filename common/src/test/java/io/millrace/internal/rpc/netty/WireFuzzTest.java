package io.millrace.internal.rpc.netty;

import io.millrace.internal.codec.JsonCodec;
import io.millrace.internal.codec.SampleValues;
import io.millrace.internal.frame.Frame;
import io.millrace.internal.frame.FrameCodec;
import io.millrace.internal.frame.FrameKind;
import io.millrace.internal.protocol.RequestType;
import java.io.IOException;
import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/**
 * Throws random and damaged bytes at a real server. Each bad connection is closed, and neither the
 * server nor the connection beside it notices.
 */
class WireFuzzTest {
  private static WireFaults server;

  @BeforeContainer
  static void start() {
    server = new WireFaults();
  }

  @AfterContainer
  static void stop() throws Exception {
    server.close();
  }

  @Property(tries = 100, shrinking = ShrinkingMode.OFF)
  void randomBytesBeforeTheHello(@ForAll @Size(min = 1, max = 200) byte[] bytes)
      throws IOException {
    try (RawPeer bad = server.stranger()) {
      bad.send(bytes);
      bad.finishSending();
      server.assertClosesOnly(bad);
    }
  }

  @Property(tries = 100, shrinking = ShrinkingMode.OFF)
  void randomBytesAfterTheHandshake(@ForAll @Size(min = 1, max = 200) byte[] bytes)
      throws IOException {
    try (RawPeer bad = server.client()) {
      bad.send(bytes);
      bad.finishSending();
      server.assertClosesOnly(bad);
    }
  }

  @Property(tries = 200, shrinking = ShrinkingMode.OFF)
  void randomBodyOfAnyType(
      @ForAll RequestType type, @ForAll FrameKind kind, @ForAll @Size(max = 100) byte[] body)
      throws IOException {
    try (RawPeer bad = server.client()) {
      bad.send(new Frame(kind, type.code(), 99, body));
      bad.finishSending();
      server.assertClosesOnly(bad);
    }
  }

  /** A damaged frame may still be a good one; closed or answered, the server goes on. */
  @Property(tries = 300, shrinking = ShrinkingMode.OFF)
  void goodFrameWithDamagedBytes(
      @ForAll RequestType type, @ForAll long seed, @ForAll @IntRange(min = 1, max = 8) int damages)
      throws IOException {
    byte[] body = new JsonCodec().encode(new SampleValues(seed).of(type.requestClass()));
    byte[] bytes = FrameCodec.encode(new Frame(FrameKind.REQUEST, type.code(), 7, body)).array();
    Random random = new Random(seed);
    for (int i = 0; i < damages; i++) {
      bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
    }
    try (RawPeer bad = server.client()) {
      bad.send(bytes);
      bad.finishSending();
      server.assertClosesOnly(bad);
    }
  }

  @Property(tries = 100, shrinking = ShrinkingMode.OFF)
  void goodFrameCutShort(@ForAll RequestType type, @ForAll long seed) throws IOException {
    byte[] body = new JsonCodec().encode(new SampleValues(seed).of(type.requestClass()));
    byte[] bytes = FrameCodec.encode(new Frame(FrameKind.REQUEST, type.code(), 7, body)).array();
    int kept = 1 + new Random(seed).nextInt(bytes.length - 1);
    try (RawPeer bad = server.client()) {
      bad.send(Arrays.copyOf(bytes, kept));
      bad.finishSending();
      server.assertClosesOnly(bad);
    }
  }
}
