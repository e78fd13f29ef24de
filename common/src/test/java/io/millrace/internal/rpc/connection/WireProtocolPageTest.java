package io.millrace.internal.rpc.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Disposition;
import io.millrace.api.Outcome;
import io.millrace.api.PartFailurePolicy;
import io.millrace.api.RejectReason;
import io.millrace.api.Schedule;
import io.millrace.api.SubmitStatus;
import io.millrace.api.WorkerLossPolicy;
import io.millrace.internal.codec.JsonCodec;
import io.millrace.internal.frame.Frame;
import io.millrace.internal.frame.FrameCodec;
import io.millrace.internal.frame.FrameKind;
import io.millrace.internal.model.LogLevel;
import io.millrace.internal.model.NodeRole;
import io.millrace.internal.protocol.CompleteRequest;
import io.millrace.internal.protocol.CompletionStatus;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.protocol.ErrorReply;
import io.millrace.internal.protocol.ExecutionResult;
import io.millrace.internal.protocol.FeedbackReply;
import io.millrace.internal.protocol.Hello;
import io.millrace.internal.protocol.KeepStatus;
import io.millrace.internal.protocol.KeptKind;
import io.millrace.internal.protocol.LogLine;
import io.millrace.internal.protocol.LogRequest;
import io.millrace.internal.protocol.PartOutcome;
import io.millrace.internal.protocol.PartsReply;
import io.millrace.internal.protocol.PullStatus;
import io.millrace.internal.protocol.RequestType;
import io.millrace.internal.protocol.StageRequest;
import io.millrace.internal.protocol.StageStatus;
import io.millrace.internal.protocol.SubmitRequest;
import io.millrace.internal.rpc.ConnectionLimits;
import io.millrace.internal.rpc.HelloRules;
import io.millrace.internal.rpc.ServerLimits;
import io.millrace.internal.rpc.Token;
import java.io.IOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Holds docs/wire-protocol.md against the code. */
class WireProtocolPageTest {
  private static String page;

  @BeforeAll
  static void read() throws IOException {
    page = Files.readString(Path.of("..", "docs", "wire-protocol.md"));
  }

  @ParameterizedTest
  @EnumSource(RequestType.class)
  void everyRequestStandsInTheTableWithItsCode(RequestType type) {
    assertThat(page).contains("| " + type + " | " + type.code() + " |");
  }

  @ParameterizedTest
  @EnumSource(RequestType.class)
  void everyFieldOfEveryMessageIsNamed(RequestType type) {
    assertFieldsNamed(type.requestClass());
    assertFieldsNamed(type.replyClass());
  }

  @Test
  void everyFieldOfAnErrorIsNamed() {
    assertFieldsNamed(ErrorReply.class);
  }

  @ParameterizedTest
  @EnumSource(ErrorCode.class)
  void everyErrorCodeIsExplained(ErrorCode code) {
    if (code != ErrorCode.UNKNOWN) {
      assertThat(page).contains("| " + code + " |");
    }
  }

  @ParameterizedTest
  @ValueSource(
      classes = {
        NodeRole.class,
        SubmitStatus.class,
        RejectReason.class,
        Disposition.class,
        PullStatus.class,
        Outcome.class,
        CompletionStatus.class,
        KeepStatus.class,
        KeptKind.class,
        StageStatus.class,
        PartOutcome.class,
        PartFailurePolicy.class,
        WorkerLossPolicy.class,
        LogLevel.class
      })
  void everyNameOfEveryEnumIsNamed(Class<? extends Enum<?>> type) {
    assertThat(type.getEnumConstants())
        .allSatisfy(constant -> assertThat(page).containsPattern("\\b" + constant.name() + "\\b"));
  }

  @Test
  void everyKindOfScheduleIsNamed() {
    Stream.of(Schedule.class.getPermittedSubclasses())
        .forEach(
            kind -> {
              String name = kind.getSimpleName();
              String first = name.substring(0, 1).toLowerCase(Locale.ROOT);
              assertThat(page).contains("| `" + first + name.substring(1) + "` |");
              assertFieldsNamed(kind);
            });
  }

  @Test
  void workedProofsAreTheOnesTheCodeComputes() {
    Hello hello =
        new Hello(
            1, 1, NodeRole.valueOf(cell("role")), cell("nodeId"), cell("group"), cell("nonce"));
    HandshakeProof proof = new HandshakeProof(Token.of(cell("token")), hello, cell("challenge"));

    assertThat(proof.text("caller")).isEqualTo(cell("caller's text"));
    assertThat(proof.ofCaller()).isEqualTo(cell("caller's proof"));
    assertThat(proof.ofTracker()).isEqualTo(cell("tracker's proof"));
  }

  @Test
  void workedFrameIsTheOneTheCodeWrites() {
    byte[] body = new JsonCodec().encode(new FeedbackReply(3));
    Frame frame = new Frame(FrameKind.REPLY, RequestType.FEEDBACK.code(), 7, body);
    String hex = HexFormat.of().formatHex(FrameCodec.encode(frame).array());

    assertThat(page.replace(" ", "")).contains(hex);
  }

  @Test
  void limitsAreTheOnesInForce() {
    ConnectionLimits limits = ConnectionLimits.DEFAULT;
    assertThat(page)
        .contains(String.format(Locale.ROOT, "%,d bytes, header", limits.maxFrameBytes()))
        .contains(
            String.format(Locale.ROOT, "| %,d bytes |", ConnectionLimits.HANDSHAKE_FRAME_BYTES))
        .contains(
            "| "
                + limits.maxRequestsUnderWay()
                + ", or "
                + (limits.maxRequestBytesUnderWay() >> 20)
                + " MiB of them |")
        .contains(String.format(Locale.ROOT, "| %,d | closed |", limits.maxUnsentBytes()))
        .contains("| handshake | " + limits.handshakeTimeout().toSeconds() + " s |")
        .contains("| silence | " + limits.idleTimeout().toSeconds() + " s |")
        .contains(String.format(Locale.ROOT, "| %,d |", ServerLimits.DEFAULT.maxConnections()))
        .contains("version **" + ProtocolVersions.HIGHEST + "**");
  }

  @Test
  void boundsOfMessagesAreTheOnesInForce() {
    assertThat(page)
        .contains("list of 1–" + grouped(SubmitRequest.MAX_JOBS))
        .contains("list of up to " + grouped(CompleteRequest.MAX_RESULTS))
        .contains("list of up to " + grouped(LogRequest.MAX_LINES))
        .contains("list of 1–" + grouped(StageRequest.MAX_PARTS) + " parts")
        .contains(grouped((int) StageRequest.MAX_BYTES) + " bytes of UTF-8")
        .contains(
            "up to %s parts or %s bytes"
                .formatted(grouped(PartsReply.MAX_PARTS), grouped((int) PartsReply.MAX_BYTES)))
        .contains("up to " + grouped(LogLine.MAX_TEXT_CHARS) + " characters")
        .contains(grouped(ExecutionResult.MAX_MESSAGE_CHARS) + " characters are kept")
        .contains("1–" + HelloRules.MAX_NAME_CHARS + " printable ASCII")
        .contains(HelloRules.MIN_NONCE_CHARS + "–" + HelloRules.MAX_NONCE_CHARS + " characters");
  }

  private static String grouped(int number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  private static String cell(String name) {
    Matcher row =
        Pattern.compile("(?m)^\\| " + Pattern.quote(name) + " \\| `(.*)` \\|$").matcher(page);
    assertThat(row.find()).as("row " + name).isTrue();
    return row.group(1);
  }

  private static void assertFieldsNamed(Class<?> message) {
    for (RecordComponent field : message.getRecordComponents()) {
      assertThat(page).as(message.getSimpleName()).contains("`" + field.getName() + "`");
      recordsIn(field.getGenericType()).forEach(WireProtocolPageTest::assertFieldsNamed);
    }
  }

  private static List<Class<?>> recordsIn(Type type) {
    if (type instanceof ParameterizedType generic) {
      return Stream.of(generic.getActualTypeArguments())
          .flatMap(argument -> recordsIn(argument).stream())
          .toList();
    }
    return type instanceof Class<?> raw && raw.isRecord() ? List.of(raw) : List.of();
  }
}
