package io.millrace.internal.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.internal.codec.CodecException.Fault;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.AbstractThrowableAssert;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class UnknownNamesTest {
  private final JsonCodec strict = new JsonCodec(UnknownNames.REFUSED);
  private final JsonCodec tolerant = new JsonCodec(UnknownNames.PASSED_OVER);

  record Mill(String name, List<Wheel> wheels, @Nullable Map<String, String> notes) {}

  record Wheel(Turning turning, @Nullable Turning before) {}

  enum Turning {
    LEFT,
    RIGHT,
    UNKNOWN
  }

  private AbstractThrowableAssert<?, ?> assertRefused(String json) {
    return assertThatThrownBy(() -> strict.decodeText(json, Mill.class))
        .isInstanceOfSatisfying(
            CodecException.class, e -> assertThat(e.fault()).isEqualTo(Fault.INVALID));
  }

  @Test
  void fieldThatIsNotKnownIsRefusedByItsName() {
    assertRefused("{\"name\":\"a\",\"wheel\":[]}")
        .hasMessage("Mill: has no field 'wheel'; it may have name, wheels, notes");
    assertThat(tolerant.decodeText("{\"name\":\"a\",\"wheel\":[]}", Mill.class))
        .isEqualTo(new Mill("a", List.of(), null));
  }

  @Test
  void fieldOfAnInnerRecordIsRefusedWithItsPlace() {
    String json = "{\"name\":\"a\",\"wheels\":[{\"turning\":\"LEFT\"},{\"turned\":\"LEFT\"}]}";

    assertRefused(json)
        .hasMessage("Mill: wheels[1] has no field 'turned'; it may have turning, before");
  }

  @Test
  void longNameIsCut() {
    assertRefused("{\"" + "x".repeat(1_000) + "\":1}")
        .hasMessageStartingWith("Mill: has no field '" + "x".repeat(60) + "…'");
  }

  @Test
  void namesOfAMapAreTheSendersOwn() {
    String json = "{\"name\":\"a\",\"notes\":{\"anything\":\"goes\"}}";

    assertThat(strict.decodeText(json, Mill.class))
        .isEqualTo(new Mill("a", List.of(), Map.of("anything", "goes")));
  }

  @Test
  void constantThatIsNotKnownIsRefused() {
    String json = "{\"name\":\"a\",\"wheels\":[{\"turning\":\"UP\"}]}";

    assertRefused(json).hasMessage("Mill: wheels[0].turning is not one of [LEFT, RIGHT]");
    assertRefused(json.replace("UP", "UNKNOWN"))
        .hasMessage("Mill: wheels[0].turning is not one of [LEFT, RIGHT]");
    assertThat(tolerant.decodeText(json, Mill.class).wheels())
        .containsExactly(new Wheel(Turning.UNKNOWN, null));
  }

  @Test
  void constantThatIsMissingIsNotMadeUp() {
    assertRefused("{\"name\":\"a\",\"wheels\":[{}]}")
        .hasMessage("Mill: wheels[0].turning is missing");
    assertThat(
            strict
                .decodeText("{\"name\":\"a\",\"wheels\":[{\"turning\":\"LEFT\"}]}", Mill.class)
                .wheels())
        .containsExactly(new Wheel(Turning.LEFT, null));
  }

  @Test
  void bothWriteTheSame() {
    Mill mill = new Mill("a", List.of(new Wheel(Turning.LEFT, null)), Map.of("b", "c"));

    assertThat(strict.encodeText(mill)).isEqualTo(tolerant.encodeText(mill));
  }
}
