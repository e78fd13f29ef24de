package io.millrace.internal.json;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
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
    assertThatCode(() -> StrictJson.check(text, 32)).doesNotThrowAnyException();
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
    assertThatThrownBy(() -> StrictJson.check(text, 32)).isInstanceOf(MalformedJsonException.class);
  }

  @Test
  void nestingIsTakenToTheBoundAndNoFurther() {
    assertThatCode(() -> StrictJson.check("[".repeat(32) + "]".repeat(32), 1))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> StrictJson.check("[".repeat(33) + "]".repeat(33), 1))
        .hasMessageContaining("nested deeper than 32");
    assertThatThrownBy(() -> StrictJson.check("{\"a\":".repeat(1_000_000), 1))
        .hasMessageContaining("nested deeper than 32");
  }

  @Test
  void numbersAreTakenToTheBoundAndNoFurther() {
    for (int most : List.of(32, 128)) {
      String whole = "1".repeat(most);
      String other = "-0." + "1".repeat(most - 6) + "E-9";
      assertThatCode(() -> StrictJson.check(whole, most)).doesNotThrowAnyException();
      assertThatCode(() -> StrictJson.check(other, most)).doesNotThrowAnyException();
      for (String number : List.of(whole, other)) {
        assertThatThrownBy(() -> StrictJson.check(number + "1", most))
            .hasMessage("a number is longer than %d characters at character %d", most, most + 1);
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "``|expected a value at character 0",
        "{\"a\":1,\"b\":x}|expected a value at character 11",
        "{\"a\":1,}|expected a field name at character 7",
        "{\"a\" 1}|expected ':' at character 5",
        "[1 2]|expected ']' at character 3",
        "1 2|unexpected text after the value at character 2",
        "01|unexpected text after the value at character 1",
        "\"\\x41\"|unknown escape sequence at character 3",
        "\"\\u00g0\"|expected four hex digits at character 5",
        "\"open|a string is not closed or contains a raw control character at character 5",
        "1e1000|an exponent has more than 3 digits at character 6"
      })
  void firstBadPositionIsNamed(String text, String message) {
    assertThatThrownBy(() -> StrictJson.check(text, 32)).hasMessage(message);
  }
}
