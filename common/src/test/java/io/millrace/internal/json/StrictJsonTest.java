package io.millrace.internal.json;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StrictJsonTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "[]",
        "\"\"",
        "0",
        "-0",
        "-1.5e+10",
        "1E9",
        "0.1",
        "true",
        "false",
        "null",
        " \t\r\n{ \"a\" : [ 1 , \"\\u00e9\\n\\\"\\/\" , { } , null ] } ",
        "{\"a\":1,\"a\":2}",
        "\"\u2028日本\ud83d\ude00\u007f\""
      })
  void jsonIsTaken(String text) {
    assertThatCode(() -> StrictJson.check(text)).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "{",
        "[",
        "\"",
        "}",
        "{]",
        "[}",
        "{\"a\"}",
        "{\"a\":}",
        "{\"a\" 1}",
        "{\"a\":1,}",
        "{,}",
        "{a:1}",
        "{'a':1}",
        "{1:2}",
        "{\"a\":1 \"b\":2}",
        "{\"a\":1}}",
        "{\"a\":1}x",
        "[1,]",
        "[,1]",
        "[1 2]",
        "'a'",
        "\"\\x41\"",
        "\"\\q\"",
        "\"\\u12\"",
        "\"\\uZZZZ\"",
        "\"a\nb\"",
        "\"\u0001\"",
        "\"\\",
        "/*c*/1",
        "1//c",
        "+1",
        "01",
        ".5",
        "1.",
        "1e",
        "-",
        "1L",
        "0x10",
        "NaN",
        "Infinity",
        "tru",
        "True",
        "nul",
        "undefined",
        "\ufeff{}"
      })
  void whatIsNotJsonIsRefused(String text) {
    assertThatThrownBy(() -> StrictJson.check(text)).isInstanceOf(MalformedJsonException.class);
  }

  @Test
  void nestingIsTakenToTheBoundAndNoFurther() {
    assertThatCode(() -> StrictJson.check("[".repeat(32) + "]".repeat(32)))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> StrictJson.check("[".repeat(33) + "]".repeat(33)))
        .hasMessageContaining("nested deeper than 32");
    assertThatThrownBy(() -> StrictJson.check("{\"a\":".repeat(1_000_000)))
        .hasMessageContaining("nested deeper than 32");
  }

  @Test
  void numbersAreTakenToTheBoundAndNoFurther() {
    assertThatCode(() -> StrictJson.check("1".repeat(32))).doesNotThrowAnyException();
    assertThatThrownBy(() -> StrictJson.check("1".repeat(33)))
        .hasMessageContaining("longer than 32");
  }

  @Test
  void firstBadPositionIsNamed() {
    assertThatThrownBy(() -> StrictJson.check("{\"a\":1,\"b\":x}"))
        .hasMessage("expected a value at character 11");
  }
}
