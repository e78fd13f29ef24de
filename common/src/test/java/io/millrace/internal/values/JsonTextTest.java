package io.millrace.internal.values;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.millrace.api.ValueMapper;
import java.util.stream.Stream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTextTest {
  private static final ValueMapper MAPPER = ValueMapper.standard();

  @Property
  void anyTextIsJudgedWithoutHarm(@ForAll String text) {
    String fault = JsonText.faultOf(text);

    assertThat(fault == null).isEqualTo(JsonText.isJson(text));
    assertThat(MAPPER.fromJson(JsonText.quote(text), String.class)).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"null", " [ ] ", "{\"a\":{\"a\":[1,1]},\"b\":null}", "\"\\ud83d\"", "-1.5e-999"})
  void oneValueOfAnyKindIsJson(String text) {
    assertThat(JsonText.faultOf(text)).isNull();
    assertThat(JsonText.isJson(text)).isTrue();
  }

  static Stream<Arguments> faults() {
    return Stream.of(
        arguments("abc", "is not JSON: expected a value at character 0"),
        arguments("{\"a\":1,}", "is not JSON: expected a field name at character 7"),
        arguments("[{\"a\":1,\"\\u0061\":2}]", "has the field 'a' twice"),
        arguments("9".repeat(129), "is not JSON: a number is longer than 128 characters"),
        arguments("[".repeat(33) + "]".repeat(33), "is not JSON: nested deeper than 32"),
        arguments("[".repeat(60_000), "is not JSON: nested deeper than 32"),
        arguments(
            "\"" + "ü".repeat(32_768) + "\"",
            "has 65538 bytes of UTF-8; at most 65536 are allowed"));
  }

  @ParameterizedTest
  @MethodSource("faults")
  void faultSaysWhatIsWrong(String text, String fault) {
    assertThat(JsonText.faultOf(text)).startsWith(fault);
  }

  @ParameterizedTest
  @MethodSource("atTheBounds")
  void boundsThemselvesAreAllowed(String text) {
    assertThat(JsonText.faultOf(text)).isNull();
  }

  static Stream<String> atTheBounds() {
    return Stream.of(
        "9".repeat(128), "[".repeat(32) + "]".repeat(32), "\"" + "ü".repeat(32_767) + "\"");
  }
}
