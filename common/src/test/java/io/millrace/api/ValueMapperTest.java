package io.millrace.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ValueMapperTest {
  private static final ValueMapper MAPPER = ValueMapper.standard();

  enum Colour {
    RED,
    GREEN {
      @Override
      public String toString() {
        return "a constant with a body";
      }
    }
  }

  record Line(String product, int count, @Nullable BigDecimal discount) {
    Line {
      if (count < 0) {
        throw new IllegalArgumentException("the count is negative");
      }
    }
  }

  record Order(long id, List<Line> lines, Optional<String> note, Colour colour) {}

  record Page<T>(List<T> items, Map<String, T> byName, @Nullable Page<T> next) {}

  record Numbers(byte b, short s, int i, long l, float f, double d, char c, boolean z) {}

  record Anything(Object value) {}

  record OfDate(Date at) {}

  record OfArray(int[] numbers) {}

  record Offset(ZoneOffset offset) {}

  record None() {}

  static final class Bean {
    @SuppressWarnings("unused")
    private int count;
  }

  private static Type type(ValueType<?> type) {
    return type.type();
  }

  static Stream<Arguments> valuesThatComeBack() {
    return Stream.of(
        arguments("a \"text\" \\ \n\u0000\u2028🌾\uD800", String.class, null),
        arguments('x', char.class, "\"x\""),
        arguments(true, boolean.class, "true"),
        arguments(Integer.MIN_VALUE, Integer.class, "-2147483648"),
        arguments(Long.MAX_VALUE, long.class, "9223372036854775807"),
        arguments(0.1f, float.class, "0.1"),
        arguments(1e300, Double.class, "1.0E300"),
        arguments(new BigInteger("9".repeat(60)), BigInteger.class, "9".repeat(60)),
        arguments(new BigDecimal("1.50"), BigDecimal.class, "1.50"),
        arguments(new BigDecimal("1E+900"), BigDecimal.class, "1E+900"),
        arguments(Colour.GREEN, Colour.class, "\"GREEN\""),
        arguments(UUID.fromString("123e4567-e89b-12d3-a456-426614174000"), UUID.class, null),
        arguments(Instant.parse("2026-01-01T00:00:00.000000001Z"), Instant.class, null),
        arguments(LocalDate.of(2026, 11, 23), LocalDate.class, "\"2026-11-23\""),
        arguments(LocalTime.of(23, 59), LocalTime.class, "\"23:59\""),
        arguments(LocalDateTime.of(2026, 1, 1, 0, 0, 1), LocalDateTime.class, null),
        arguments(OffsetDateTime.parse("2026-01-01T00:00:00+08:00"), OffsetDateTime.class, null),
        arguments(
            ZonedDateTime.of(2026, 1, 1, 0, 0, 0, 0, ZoneId.of("America/New_York")),
            ZonedDateTime.class,
            "\"2026-01-01T00:00-05:00[America/New_York]\""),
        arguments(YearMonth.of(2026, 2), YearMonth.class, "\"2026-02\""),
        arguments(DayOfWeek.MONDAY, DayOfWeek.class, "\"MONDAY\""),
        arguments(Duration.ofMillis(1_500), Duration.class, "\"PT1.5S\""),
        arguments(Period.ofMonths(3), Period.class, "\"P3M\""),
        arguments(ZoneId.of("Asia/Shanghai"), ZoneId.class, "\"Asia/Shanghai\""),
        arguments(new Offset(ZoneOffset.ofHours(8)), Offset.class, "{\"offset\":\"+08:00\"}"),
        arguments(
            new Numbers((byte) -1, (short) 2, 3, 4, 5.5f, 6.25, 'c', true), Numbers.class, null),
        arguments(
            new Order(
                42,
                List.of(new Line("nail", 3, null), new Line("nut", 0, BigDecimal.TEN)),
                Optional.empty(),
                Colour.RED),
            Order.class,
            "{\"id\":42,\"lines\":[{\"product\":\"nail\",\"count\":3},"
                + "{\"product\":\"nut\",\"count\":0,\"discount\":10}],\"colour\":\"RED\"}"),
        arguments(new None(), None.class, "{}"),
        arguments(List.of(), List.class, "[]"),
        arguments(Set.of("a"), type(new ValueType<Set<String>>() {}), "[\"a\"]"),
        arguments(
            List.of(new Line("nail", 1, null)),
            type(new ValueType<List<? extends Line>>() {}),
            null),
        arguments(
            new Page<>(
                List.of(LocalDate.EPOCH),
                Map.of("first", LocalDate.EPOCH),
                new Page<>(List.of(), Map.of(), null)),
            type(new ValueType<Page<LocalDate>>() {}),
            null),
        arguments(
            Map.of("rows", new BigDecimal("3"), "names", List.of("a", true)),
            type(new ValueType<Map<String, Object>>() {}),
            null),
        arguments(new Anything("text"), Anything.class, "{\"value\":\"text\"}"));
  }

  @ParameterizedTest
  @MethodSource("valuesThatComeBack")
  void valueComesBackFromItsJson(Object value, Type type, @Nullable String json) {
    String written = MAPPER.toJson(value);

    assertThat(MAPPER.fromJson(written, type)).isEqualTo(value);
    if (json != null) {
      assertThat(written).isEqualTo(json);
    }
  }

  /** The bound is one of characters, in both directions. */
  @Test
  void largestValueIsWrittenAndRead() {
    String most = "xü\uD83D\uDE00".repeat((1 << 18) - 1) + "xü";

    assertThat(MAPPER.toJson(most)).hasSize(1 << 20);
    assertThat(MAPPER.fromJson(MAPPER.toJson(most), String.class)).isEqualTo(most);
    assertThatThrownBy(() -> MAPPER.toJson(most + "x"))
        .hasMessage("has more than 1048576 characters as JSON");
  }

  static Stream<Arguments> jsonThatDoesNotFit() {
    return Stream.of(
        arguments("\"5\"", int.class, "is text and not a whole number"),
        arguments("5", String.class, "is the number 5 and not text"),
        arguments("1.0", int.class, "is the number 1.0 and not a whole number"),
        arguments("1e2", long.class, "is the number 1e2 and not a whole number"),
        arguments("2147483648", int.class, "2147483648 is out of range: -2147483648 to 2147483647"),
        arguments("128", byte.class, "128 is out of range: -128 to 127"),
        arguments("1e999", double.class, "is out of range of a double"),
        arguments("1e99", float.class, "is out of range of a float"),
        arguments("1", boolean.class, "is the number 1 and not true or false"),
        arguments("\"ab\"", char.class, "'ab' is not a single character"),
        arguments("\"BLUE\"", Colour.class, "'BLUE' is not one of RED, GREEN"),
        arguments("\"red\"", Colour.class, "'red' is not one of RED, GREEN"),
        arguments("\"2026-02-30\"", LocalDate.class, "'2026-02-30' is not a LocalDate"),
        arguments("\"1-2-3-4-5\"", UUID.class, "'1-2-3-4-5' is not a UUID"),
        arguments("\"" + "1".repeat(500) + "\"", Duration.class, "is not a Duration"),
        arguments("\"Nowhere/Land\"", ZoneId.class, "is not a ZoneId"),
        arguments(
            "{\"offset\":\"Asia/Tokyo\"}", Offset.class, "offset: 'Asia/Tokyo' is not a Zone"),
        arguments("null", String.class, "is null"),
        arguments("[null]", type(new ValueType<List<String>>() {}), "[0]: is null"),
        arguments("{}", List.class, "is an object and not a list"),
        arguments("[]", Line.class, "is a list and not an object"),
        arguments("[1,1]", type(new ValueType<Set<Integer>>() {}), "has an element twice"),
        arguments("{\"product\":\"nail\"}", Line.class, "count: is missing"),
        arguments("{\"product\":null,\"count\":1}", Line.class, "product: is null"),
        arguments("{\"product\":\"nail\",\"count\":-1}", Line.class, "the count is negative"),
        arguments(
            "{\"id\":1,\"lines\":[{\"product\":\"a\",\"count\":1},{\"product\":\"b\",\"count\":\"2\"}],"
                + "\"colour\":\"RED\"}",
            Order.class,
            "lines[1].count: is text and not a whole number"),
        arguments(
            "{\"items\":[],\"byName\":{\"a\":\"x\"}}",
            type(new ValueType<Page<Integer>>() {}),
            "byName.a: is text and not a whole number"),
        arguments("{\"count\":1,\"count\":1}", Line.class, "has the field 'count' twice"),
        arguments("", String.class, "is not JSON: expected a value at character 0"),
        arguments("1 2", int.class, "is not JSON: unexpected text after the value"),
        arguments("9".repeat(129), BigInteger.class, "a number is longer than 128 characters"),
        arguments("1e1000", BigDecimal.class, "an exponent has more than 3 digits"),
        arguments("[".repeat(100_000), Object.class, "nested deeper than 32"),
        arguments("\"" + "x".repeat(1 << 20) + "\"", String.class, "at most 1048576 are allowed"));
  }

  @ParameterizedTest
  @MethodSource("jsonThatDoesNotFit")
  void jsonThatDoesNotFitIsRefusedWithItsPlace(String json, Type type, String message) {
    assertThatThrownBy(() -> MAPPER.fromJson(json, type))
        .isInstanceOf(ValueException.class)
        .hasMessageContaining(message);
  }

  static Stream<Arguments> valuesWithoutJson() {
    List<Object> itself = new ArrayList<>();
    itself.add(itself);
    Map<String, Object> nullValue = new HashMap<>();
    nullValue.put("a", null);
    return Stream.of(
        arguments(new Bean(), "ValueMapperTest$Bean has no JSON form: use a record, or set a"),
        arguments(new OfDate(new Date(0)), "at: java.util.Date has no JSON form"),
        arguments(new OfArray(new int[0]), "numbers: [I has no JSON form"),
        arguments(new int[] {1}, "[I has no JSON form"),
        arguments(Optional.of("x"), "java.util.Optional has no JSON form"),
        arguments(new Anything(new Bean()), "value: io.millrace.api.ValueMapperTest$Bean has no"),
        arguments(new Anything(null), "value: is null"),
        arguments(List.of(Map.of("a", new Bean())), "[0].a: io.millrace.api.ValueMapperTest$Bean"),
        arguments(Collections.singletonList(null), "[0]: is null"),
        arguments(nullValue, "a: is null"),
        arguments(Map.of(1, "one"), "the keys of a map must be String and not java.lang.Integer"),
        arguments(new Order(1, List.of(), null, Colour.RED), "note: is null"),
        arguments(Double.NaN, "NaN is not a finite number"),
        arguments(new BigDecimal("1E+1000"), "too large an exponent"),
        arguments(BigInteger.TEN.pow(200), "longer than 128 characters"),
        arguments(itself, "is nested deeper than 32"),
        arguments("x".repeat(1 << 20), "has more than 1048576 characters"));
  }

  @ParameterizedTest
  @MethodSource("valuesWithoutJson")
  void valueWithoutJsonIsRefusedWithItsPlaceAndItsType(Object value, String message) {
    assertThatThrownBy(() -> MAPPER.toJson(value))
        .isInstanceOf(ValueException.class)
        .hasMessageContaining(message);
  }

  @Test
  void typeWithoutAFormIsRefusedByItsNameBeforeTheJsonIsRead() {
    assertThatThrownBy(() -> MAPPER.fromJson("{}", Bean.class))
        .isInstanceOf(ValueException.class)
        .hasMessageStartingWith("io.millrace.api.ValueMapperTest$Bean has no JSON form");
    assertThatThrownBy(() -> MAPPER.fromJson("{", type(new ValueType<Map<Integer, String>>() {})))
        .hasMessageStartingWith("the keys of a map must be String");
  }

  /** A newer client may add a component while workers of the version before still run. */
  @Test
  void fieldThatTheRecordDoesNotHaveIsPassedOver() {
    assertThat(
            MAPPER.fromJson(
                "{\"product\":\"nail\",\"since\":{\"deep\":[1]},\"count\":1}", Line.class))
        .isEqualTo(new Line("nail", 1, null));
  }

  @Test
  void whatWasReadCannotBeModified() {
    List<?> list = (List<?>) MAPPER.fromJson("[1]", List.class);

    assertThatThrownBy(() -> list.remove(0)).isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void anErrorOfARecordIsNoFaultOfTheValue() {
    record Failing(int number) {
      Failing {
        throw new OutOfMemoryError("planted");
      }
    }

    assertThatThrownBy(() -> MAPPER.fromJson("{\"number\":1}", Failing.class))
        .isInstanceOf(OutOfMemoryError.class);
  }

  @Test
  void valueTypeNamesItsType() {
    assertThat(new ValueType<List<String>>() {})
        .isEqualTo(new ValueType<List<String>>() {})
        .hasToString("java.util.List<java.lang.String>");
    assertThat(ValueType.of(Line.class).type()).isEqualTo(Line.class);
    assertThatThrownBy(RawType::new).isInstanceOf(IllegalArgumentException.class);
  }

  @SuppressWarnings("rawtypes")
  private static final class RawType extends ValueType {}

  @Test
  void parametersOfAJobAreStoredAsJsonAndTextAsItIs() {
    Job job =
        Job.builder("orders", "close:42")
            .param("order", new Line("nail", 1, null))
            .param("count", 5)
            .param("plain", "5 \"nails\"")
            .build();

    assertThat(job.params())
        .containsEntry("order", "{\"product\":\"nail\",\"count\":1}")
        .containsEntry("count", "5")
        .containsEntry("plain", "5 \"nails\"");
  }

  @Test
  void parameterWithoutJsonFailsTheBuildAndNamesJobAndParameter() {
    assertThatThrownBy(
            () -> Job.builder("orders", "close:42").param("order", new OfDate(new Date())).build())
        .isInstanceOf(ValueException.class)
        .hasMessageStartingWith(
            "job orders/close:42: parameter order: at: java.util.Date has no JSON form");
  }

  @Test
  void anotherMapperMayTakeItsPlaceBeforeOrAfterTheParameters() {
    ValueMapper shouting =
        new ValueMapper() {
          @Override
          public String toJson(Object value) {
            return "\"" + value.toString().toUpperCase(java.util.Locale.ROOT) + "!\"";
          }

          @Override
          public Object fromJson(String json, Type type) {
            throw new AssertionError("not read");
          }
        };

    assertThat(Job.builder("g", "t").param("p", new StringBuilder("hi")).values(shouting).build())
        .extracting(job -> job.params().get("p"))
        .isEqualTo("\"HI!\"");
  }

  @Test
  void feedbackReadsTheResultAsAValue() {
    TriggerResult told =
        new TriggerResult(
            "orders",
            "close:42",
            Instant.EPOCH,
            0,
            Disposition.SUCCEEDED,
            1,
            null,
            Instant.EPOCH,
            "{\"product\":\"nail\",\"count\":1}");

    assertThat(told.result(Line.class)).contains(new Line("nail", 1, null));
    assertThatThrownBy(() -> told.result(Integer.class)).isInstanceOf(ValueException.class);
  }
}
