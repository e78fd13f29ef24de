package io.millrace.internal.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.api.Job;
import io.millrace.api.RetryPolicy;
import io.millrace.api.Schedule;
import io.millrace.internal.protocol.ErrorReply;
import io.millrace.internal.protocol.RequestType;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

class JsonCodecRoundTripTest {
  private final JsonCodec codec = new JsonCodec();

  @Property(tries = 2_000)
  void everyRequestAndReplyComesBackEqual(@ForAll RequestType type, @ForAll long seed) {
    SampleValues samples = new SampleValues(seed);
    assertComesBack(samples.of(type.requestClass()));
    assertComesBack(samples.of(type.replyClass()));
    assertComesBack(samples.of(ErrorReply.class));
  }

  @Property(tries = 500)
  void whatTheStoreKeepsComesBackEqual(@ForAll long seed) {
    SampleValues samples = new SampleValues(seed);
    assertComesBack(samples.of(Job.class));
    assertComesBack(samples.of(RetryPolicy.class));
    Schedule schedule = samples.of(Schedule.class);
    assertThat(codec.decodeText(codec.encodeText(schedule), Schedule.class)).isEqualTo(schedule);
  }

  @Property
  void stringsComeBackInTheirOrder(@ForAll Map<String, String> strings) {
    Map<String, String> wellFormed = new LinkedHashMap<>();
    strings.forEach((name, value) -> wellFormed.put(wellFormed(name), wellFormed(value)));

    Map<String, String> decoded = codec.decodeStrings(codec.encodeText(wellFormed));

    assertThat(decoded).containsExactlyEntriesOf(wellFormed);
  }

  /** A lone half of a surrogate pair is not text, and no UTF-8 stands for it. */
  private static String wellFormed(String text) {
    return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
  }

  private void assertComesBack(Object value) {
    assertThat(codec.decode(codec.encode(value), value.getClass())).isEqualTo(value);
    assertThat(codec.decodeText(codec.encodeText(value), value.getClass())).isEqualTo(value);
  }
}
