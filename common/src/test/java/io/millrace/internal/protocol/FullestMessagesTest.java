package io.millrace.internal.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.internal.codec.JsonCodec;
import io.millrace.internal.frame.FrameCodec;
import io.millrace.internal.model.job.JobRules;
import io.millrace.internal.rpc.ConnectionLimits;
import io.millrace.internal.values.JsonText;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Messages that are as full as their bounds allow fit into a frame, whatever they contain. */
class FullestMessagesTest {
  private static final int ROOM =
      ConnectionLimits.DEFAULT.maxFrameBytes() - FrameCodec.HEADER_BYTES;

  private final JsonCodec codec = new JsonCodec();

  /** A result of backslashes takes twice its bytes: it is JSON within JSON. */
  @Test
  void pageOfPartsFits() {
    String result = '"' + "\\".repeat(KeepRequest.MAX_VALUE_BYTES - 2) + '"';
    assertThat(JsonText.faultOf(result)).isNull();
    List<PartResult> parts = new ArrayList<>();
    long bytes = 0;
    while (bytes + result.length() <= PartsReply.MAX_BYTES) {
      parts.add(new PartResult(1_000_000 + parts.size(), PartOutcome.SUCCEEDED, result, Map.of()));
      bytes += result.length();
    }
    PartResult empty = new PartResult(1_000_000, PartOutcome.CANCELLED, null, Map.of());
    parts.addAll(Collections.nCopies(PartsReply.MAX_PARTS - parts.size(), empty));

    assertThat(codec.encode(new PartsReply(true, parts, true)).length)
        .isBetween((int) (2 * bytes), ROOM);
  }

  /** A control character takes six bytes in JSON. */
  @Test
  void requestOfPartsFits() {
    String handler = "\u7269".repeat(JobRules.MAX_HANDLER_CHARS);
    int each = (int) StageRequest.MAX_BYTES / StageRequest.MAX_PARTS;
    StagedPart part = new StagedPart(handler, Map.of("n", "\u0001".repeat(each - 1)));
    StageRequest request =
        new StageRequest(
            Long.MAX_VALUE, 1_000_000, Collections.nCopies(StageRequest.MAX_PARTS, part));

    assertThat(request.bytes()).isBetween(StageRequest.MAX_BYTES - 1_000, StageRequest.MAX_BYTES);
    assertThat(codec.encode(request).length).isLessThan(ROOM);
  }
}
