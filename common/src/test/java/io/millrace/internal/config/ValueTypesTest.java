package io.millrace.internal.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ValueTypesTest {

  @ParameterizedTest
  @CsvSource({
    "500ms, PT0.5S",
    "10s, PT10S",
    "10 s, PT10S",
    "5m, PT5M",
    "1h, PT1H",
    "7d, PT168H",
    "0s, PT0S",
    "PT1H30M, PT1H30M",
    "pt0.25s, PT0.25S"
  })
  void durationsAreReadAsPeopleWriteThem(String text, Duration expected) {
    assertThat(ValueTypes.DURATION.parser().apply(text)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "5",
        "s",
        "-5s",
        "1.5s",
        "5 minutes",
        "5M",
        "PT-1S",
        "-PT1S",
        "P",
        "٥s",
        "99999999999999999999s",
        "9223372036854775807d"
      })
  void whatIsNoDurationIsRefused(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ValueTypes.DURATION.parser().apply(text))
        .withMessageStartingWith("must ");
  }

  @ParameterizedTest
  @CsvSource({"0, 0s", "1500, 1500ms", "1000, 1s", "90000, 90s", "3600000, 1h", "172800000, 2d"})
  void durationsAreWrittenInTheLargestUnitThatLeavesNoRest(long millis, String expected) {
    assertThat(ValueTypes.DURATION.writer().apply(Duration.ofMillis(millis))).isEqualTo(expected);
  }

  @Property
  void durationsAreReadAsTheyWereWritten(@ForAll @LongRange(min = 0) long nanos) {
    assertReadAsWritten(ValueTypes.DURATION, Duration.ofNanos(nanos));
    assertReadAsWritten(ValueTypes.DURATION, Duration.ofSeconds(nanos));
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "4096, 4096",
    "12B, 12",
    "64KiB, 65536",
    "1 MiB, 1048576",
    "2GiB, 2147483648",
    "1TiB, 1099511627776"
  })
  void byteSizesAreReadInUnitsOf1024(String text, long expected) {
    assertThat(ValueTypes.BYTE_SIZE.parser().apply(text)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "MiB", "-1", "1MB", "1kb", "1.5MiB", "8388608TiB"})
  void whatIsNoByteSizeIsRefused(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ValueTypes.BYTE_SIZE.parser().apply(text))
        .withMessageStartingWith("must be ");
  }

  @Property
  void byteSizesAreReadAsTheyWereWritten(@ForAll @LongRange(min = 0) long bytes) {
    assertReadAsWritten(ValueTypes.BYTE_SIZE, bytes);
  }

  @Test
  void listIsSeparatedByCommas() {
    assertThat(ValueTypes.listOf(ValueTypes.INTEGER).parser().apply("1, 2"))
        .isEqualTo(List.of(1, 2));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1,", ",1"})
  void listWithAHoleIsRefused(String text) {
    ValueType<List<Integer>> type = ValueTypes.listOf(ValueTypes.INTEGER);

    assertThatIllegalArgumentException().isThrownBy(() -> type.parser().apply(text));
  }

  @ParameterizedTest
  @CsvSource({"days", "DAYS", "Days"})
  void constantIsFoundInAnyCase(String text) {
    assertThat(ValueTypes.enumOf(TimeUnit.class).parser().apply(text)).isEqualTo(TimeUnit.DAYS);
  }

  @ParameterizedTest
  @CsvSource({"set-twice", "SET_TWICE"})
  void wordsOfAConstantAreSeparatedByEitherSign(String text) {
    assertThat(ValueTypes.enumOf(Fault.class).parser().apply(text)).isEqualTo(Fault.SET_TWICE);
  }

  @Test
  void unknownConstantIsAnsweredWithTheKnownOnes() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ValueTypes.enumOf(Fault.class).parser().apply("other"))
        .withMessage("must be one of unknown, set-twice");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "yes", "1", "on"})
  void onlyTrueAndFalseAreBoolean(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> ValueTypes.BOOLEAN.parser().apply(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1.0", "1_000", "2147483648", "0x10"})
  void whatIsNoIntegerIsRefused(String text) {
    assertThatIllegalArgumentException().isThrownBy(() -> ValueTypes.INTEGER.parser().apply(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "a\0b"})
  void whatIsNoPathIsRefused(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ValueTypes.PATH.parser().apply(text))
        .withMessageStartingWith("must be a path");
  }

  private enum Fault {
    UNKNOWN,
    SET_TWICE
  }

  private static <T> void assertReadAsWritten(ValueType<T> type, T value) {
    assertThat(type.parser().apply(type.writer().apply(value))).isEqualTo(value);
  }
}
