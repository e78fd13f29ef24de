package io.millrace.internal.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.api.RetryPolicy;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Of one codec, as it remembers the last record. */
class RepeatedFormTest {
  private static final RetryPolicy OTHER =
      new RetryPolicy(
          1, Duration.ofMillis(1), Duration.ofHours(2), 1.5, 0, List.of("a.B\"}", "c.D\\"));
  private static final RetryPolicy NOT_ASCII =
      new RetryPolicy(2, Duration.ZERO, Duration.ZERO, 1, 1, List.of("Überlauf"));

  private final JsonCodec codec = new JsonCodec();

  private record Two(RetryPolicy first, RetryPolicy second, int after) {}

  private void comesBack(RetryPolicy first, RetryPolicy second) {
    Two two = new Two(first, second, 7);
    String json = codec.encodeText(two);

    assertThat(json).isEqualTo(new JsonCodec().encodeText(two));
    assertThat(codec.decodeText(json, Two.class)).isEqualTo(two);
  }

  @Test
  void equalOnesInTurnWithOthersComeBackAsTheyWere() {
    List<RetryPolicy> all = List.of(RetryPolicy.DEFAULT, OTHER, NOT_ASCII, RetryPolicy.NONE);
    for (RetryPolicy first : all) {
      for (RetryPolicy second : all) {
        comesBack(first, second);
        comesBack(first, second);
      }
    }
  }

  @Test
  void anEqualTextIsReadAsTheSameObject() {
    Two two = codec.decodeText(codec.encodeText(new Two(OTHER, OTHER, 1)), Two.class);

    assertThat(two.second()).isSameAs(two.first());
  }

  @Test
  void spacesAroundThemArePassedOver() {
    String json =
        "{ \"first\" : { \"maxRetries\" : 4 } ,\n\"second\" : { \"maxRetries\" : 4 } , \"after\" : 3 }";

    assertThat(codec.decodeText(json, Two.class))
        .isEqualTo(new Two(RetryPolicy.retries(4), RetryPolicy.retries(4), 3));
  }

  @Test
  void aTextThatOnlyBeginsLikeTheLastOneIsReadForItself() {
    assertThat(codec.decodeText("{\"first\":{},\"second\":{\"maxRetries\":9}}", Two.class).second())
        .isEqualTo(RetryPolicy.retries(9));
  }

  @Test
  void namesThatAreNotKnownArePassedOverEachTime() {
    String json = "{\"first\":{\"maxRetries\":4,\"new\":{\"a\":[\"}\"]}},\"second\":%s}";
    String again = json.formatted("{\"maxRetries\":4,\"new\":{\"a\":[\"}\"]}}");

    assertThat(codec.decodeText(again, Two.class))
        .isEqualTo(new Two(RetryPolicy.retries(4), RetryPolicy.retries(4), 0));
  }

  @Test
  void aFaultIsReportedEachTime() {
    String json = "{\"first\":{\"maxRetries\":\"x\"},\"second\":{}}";
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> codec.decodeText(json, Two.class))
          .isInstanceOf(CodecException.class)
          .hasMessageContaining("maxRetries");
    }
  }

  @Test
  void longOnesAreNotRemembered() {
    RetryPolicy longOne =
        new RetryPolicy(1, Duration.ZERO, Duration.ZERO, 1, 0, List.of("n".repeat(1_100)));

    Two two = codec.decodeText(codec.encodeText(new Two(longOne, longOne, 1)), Two.class);

    assertThat(two.second()).isEqualTo(two.first()).isNotSameAs(two.first());
  }
}
