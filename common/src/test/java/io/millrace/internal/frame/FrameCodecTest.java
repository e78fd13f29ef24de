package io.millrace.internal.frame;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class FrameCodecTest {
  private static final int MAX = 1_000;

  @Test
  void layoutIsTheDocumentedOne() {
    Frame frame = new Frame(FrameKind.REPLY, 0x0102, 0x030405060708090aL, new byte[] {'{', '}'});

    assertThat(HexFormat.of().formatHex(FrameCodec.encode(frame).array()))
        .isEqualTo("00000010" + "4d52" + "01" + "02" + "0102" + "030405060708090a" + "7b7d");
  }

  @Property
  void framesComeBackInPiecesOfAnySize(
      @ForAll FrameKind kind,
      @ForAll @IntRange(max = 65_535) int type,
      @ForAll long id,
      @ForAll @Size(max = 50) byte[] body,
      @ForAll @IntRange(min = 1, max = 100) int piece) {
    byte[] bytes = FrameCodec.encode(new Frame(kind, type, id, body)).array();
    for (int end = piece; end < bytes.length; end += piece) {
      ByteBuffer part = ByteBuffer.wrap(bytes, 0, end);
      assertThat(FrameCodec.decode(part, MAX)).isNull();
      assertThat(part.position()).isZero();
    }

    ByteBuffer whole = ByteBuffer.wrap(bytes);
    Frame frame = FrameCodec.decode(whole, MAX);

    assertThat(frame.kind()).isEqualTo(kind);
    assertThat(frame.type()).isEqualTo(type);
    assertThat(frame.requestId()).isEqualTo(id);
    assertThat(frame.body()).isEqualTo(body);
    assertThat(whole.hasRemaining()).isFalse();
  }

  @Test
  void frameOfTheGreatestSizeIsTakenAndOneByteMoreIsNot() {
    ByteBuffer bytes = FrameCodec.encode(new Frame(FrameKind.REQUEST, 1, 1, new byte[82]));

    assertThat(FrameCodec.decode(bytes.duplicate(), 100)).isNotNull();
    assertThatThrownBy(() -> FrameCodec.decode(bytes.duplicate(), 99))
        .isInstanceOf(MalformedFrameException.class)
        .hasMessage("frame of 100 bytes; at most 99 are allowed");
  }

  @Property
  void randomBytesAreNoFrameOrNotYetOne(@ForAll @Size(max = 100) byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    try {
      assertThat(FrameCodec.decode(buffer, MAX)).isNull();
      assertThat(bytes.length).isLessThan(6);
    } catch (MalformedFrameException e) {
      assertThat(bytes.length).isGreaterThanOrEqualTo(4);
    }
  }
}
