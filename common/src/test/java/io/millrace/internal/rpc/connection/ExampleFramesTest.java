package io.millrace.internal.rpc.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.internal.codec.JsonCodec;
import io.millrace.internal.frame.Frame;
import io.millrace.internal.frame.FrameCodec;
import io.millrace.internal.frame.FrameKind;
import io.millrace.internal.protocol.ErrorReply;
import io.millrace.internal.protocol.RequestType;
import io.millrace.internal.rpc.ConnectionLimits;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Holds docs/protocol-examples/frames.json, with which programs in other languages test themselves,
 * against the code; {@code -Dexamples.write=true} writes the file.
 */
class ExampleFramesTest {
  private static final Path FILE = Path.of("..", "docs", "protocol-examples", "frames.json");
  private static final long REQUEST_ID = 7;

  private final JsonCodec codec = new JsonCodec();

  @Test
  void fileIsWhatTheCodeWrites() throws IOException {
    String expected = frames().map(this::line).collect(Collectors.joining(",\n", "[\n", "\n]\n"));

    if (Boolean.getBoolean("examples.write")) {
      Files.createDirectories(FILE.getParent());
      Files.writeString(FILE, expected);
    }
    assertThat(FILE).hasContent(expected);
  }

  @ParameterizedTest
  @EnumSource(RequestType.class)
  void codeReadsWhatItWrites(RequestType type) {
    for (Class<?> message : new Class<?>[] {type.requestClass(), type.replyClass()}) {
      Object example = ExampleMessages.of(message);
      Frame written = frame(FrameKind.REQUEST, type, example);
      ByteBuffer bytes = FrameCodec.encode(written);

      Frame read =
          Objects.requireNonNull(
              FrameCodec.decode(bytes, ConnectionLimits.DEFAULT.maxFrameBytes()));

      assertThat(codec.decode(read.body(), message)).isEqualTo(example);
    }
  }

  private Stream<Frame> frames() {
    return Arrays.stream(RequestType.values())
        .flatMap(
            type ->
                Stream.of(
                    frame(FrameKind.REQUEST, type, ExampleMessages.of(type.requestClass())),
                    frame(FrameKind.REPLY, type, ExampleMessages.of(type.replyClass())),
                    frame(FrameKind.ERROR, type, ExampleMessages.of(ErrorReply.class))))
        .filter(
            frame -> frame.kind() != FrameKind.ERROR || frame.type() == RequestType.SUBMIT.code());
  }

  private Frame frame(FrameKind kind, RequestType type, Object message) {
    return new Frame(kind, type.code(), REQUEST_ID, codec.encode(message));
  }

  private String line(Frame frame) {
    return """
    {"name":"%s %s","kind":%d,"type":%d,"requestId":"%d","body":%s,
     "frame":"%s"}"""
        .formatted(
            RequestType.ofCode(frame.type()),
            frame.kind().name().toLowerCase(Locale.ROOT),
            frame.kind().code(),
            frame.type(),
            frame.requestId(),
            new String(frame.body(), StandardCharsets.UTF_8),
            HexFormat.of().formatHex(FrameCodec.encode(frame).array()));
  }
}
