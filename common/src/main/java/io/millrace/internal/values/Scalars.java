package io.millrace.internal.values;

import io.millrace.internal.json.JsonWriter;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DateTimeException;
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
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The forms of single values. */
final class Scalars {
  /** Times, zones and UUIDs are short; longer text is rejected before it is parsed. */
  private static final int MAX_TEXT_CHARS = 128;

  /** Constants that a message names. */
  private static final int SHOWN_CONSTANTS = 20;

  private static final Map<Class<?>, Scalar<?>> FORMS = new HashMap<>();

  static {
    put(new Scalar<>(String.class, JsonWriter::writeString, Scalars::text));
    put(new Scalar<>(Character.class, Scalars::writeText, Scalars::character));
    put(new Scalar<>(Boolean.class, JsonWriter::writeBoolean, Scalars::flag));
    put(whole(Byte.class, Byte.MIN_VALUE, Byte.MAX_VALUE, BigInteger::byteValue));
    put(whole(Short.class, Short.MIN_VALUE, Short.MAX_VALUE, BigInteger::shortValue));
    put(whole(Integer.class, Integer.MIN_VALUE, Integer.MAX_VALUE, BigInteger::intValue));
    put(whole(Long.class, Long.MIN_VALUE, Long.MAX_VALUE, BigInteger::longValue));
    put(new Scalar<>(Float.class, Scalars::write, Scalars::floatNumber));
    put(new Scalar<>(Double.class, Scalars::write, Scalars::doubleNumber));
    put(new Scalar<>(BigInteger.class, Scalars::write, Scalars::wholeNumber));
    put(new Scalar<>(BigDecimal.class, Scalars::write, Scalars::number));
    put(asText(UUID.class, Scalars::uuid));
    put(asText(Instant.class, Instant::parse));
    put(asText(LocalDate.class, LocalDate::parse));
    put(asText(LocalTime.class, LocalTime::parse));
    put(asText(LocalDateTime.class, LocalDateTime::parse));
    put(asText(OffsetDateTime.class, OffsetDateTime::parse));
    put(asText(ZonedDateTime.class, ZonedDateTime::parse));
    put(asText(YearMonth.class, YearMonth::parse));
    put(asText(Duration.class, Duration::parse));
    put(asText(Period.class, Period::parse));
    put(asText(ZoneId.class, ZoneId::of));
    put(asText(ZoneOffset.class, ZoneOffset::of));
    FORMS.put(boolean.class, FORMS.get(Boolean.class));
    FORMS.put(char.class, FORMS.get(Character.class));
    FORMS.put(byte.class, FORMS.get(Byte.class));
    FORMS.put(short.class, FORMS.get(Short.class));
    FORMS.put(int.class, FORMS.get(Integer.class));
    FORMS.put(long.class, FORMS.get(Long.class));
    FORMS.put(float.class, FORMS.get(Float.class));
    FORMS.put(double.class, FORMS.get(Double.class));
  }

  private Scalars() {}

  /** The form of this type, or null if it is not a scalar. */
  static @Nullable Scalar<?> of(Class<?> type) {
    Scalar<?> form = FORMS.get(type);
    return form == null && ZoneId.class.isAssignableFrom(type) ? FORMS.get(ZoneId.class) : form;
  }

  /** The constant of an enum. */
  static Object constant(JsonNode node, Class<?> type) {
    String name = text(node);
    Object[] constants = type.getEnumConstants();
    for (Object constant : constants) {
      if (((Enum<?>) constant).name().equals(name)) {
        return constant;
      }
    }
    throw new ValueFault(
        "'%s' is not one of %s%s"
            .formatted(
                ValueFault.cut(name),
                Arrays.stream(constants)
                    .limit(SHOWN_CONSTANTS)
                    .map(constant -> ((Enum<?>) constant).name())
                    .collect(Collectors.joining(", ")),
                constants.length > SHOWN_CONSTANTS ? ", …" : ""));
  }

  private static void put(Scalar<?> scalar) {
    FORMS.put(scalar.type(), scalar);
  }

  private static <T> Scalar<T> whole(
      Class<T> type, long lowest, long highest, Function<BigInteger, T> narrowed) {
    return new Scalar<>(
        type,
        (json, number) -> json.writeNumber(number.toString()),
        node -> {
          BigInteger number = wholeNumber(node);
          if (number.compareTo(BigInteger.valueOf(lowest)) < 0
              || number.compareTo(BigInteger.valueOf(highest)) > 0) {
            throw new ValueFault(
                "%s is out of range: %d to %d"
                    .formatted(ValueFault.cut(number.toString()), lowest, highest));
          }
          return narrowed.apply(number);
        });
  }

  private static <T> Scalar<T> asText(Class<T> type, Function<String, T> parser) {
    return new Scalar<>(
        type,
        Scalars::writeText,
        node -> {
          String text = text(node);
          try {
            if (text.length() <= MAX_TEXT_CHARS) {
              return parser.apply(text);
            }
          } catch (DateTimeException | IllegalArgumentException notOfThisForm) {
            // The message below says so.
          }
          throw new ValueFault(
              "'%s' is not a %s".formatted(ValueFault.cut(text), type.getSimpleName()));
        });
  }

  private static void writeText(JsonWriter json, Object value) {
    json.writeString(value.toString());
  }

  /** {@link UUID#fromString} also takes shorter groups of digits. */
  private static UUID uuid(String text) {
    UUID uuid = UUID.fromString(text);
    if (!uuid.toString().equalsIgnoreCase(text)) {
      throw new IllegalArgumentException("not in the usual form");
    }
    return uuid;
  }

  static String text(JsonNode node) {
    if (node instanceof JsonNode.Text text) {
      return text.value();
    }
    throw unexpected(node, "text");
  }

  private static Character character(JsonNode node) {
    String text = text(node);
    if (text.length() != 1) {
      throw new ValueFault("'" + ValueFault.cut(text) + "' is not a single character");
    }
    return text.charAt(0);
  }

  private static Boolean flag(JsonNode node) {
    if (node instanceof JsonNode.Flag flag) {
      return flag.value();
    }
    throw unexpected(node, "true or false");
  }

  static BigDecimal number(JsonNode node) {
    return new BigDecimal(digits(node, "a number"));
  }

  private static BigInteger wholeNumber(JsonNode node) {
    String digits = digits(node, "a whole number");
    if (digits.chars().anyMatch(c -> c == '.' || c == 'e' || c == 'E')) {
      throw unexpected(node, "a whole number");
    }
    return new BigInteger(digits);
  }

  private static Float floatNumber(JsonNode node) {
    float number = Float.parseFloat(digits(node, "a number"));
    if (Float.isInfinite(number)) {
      throw new ValueFault(node.kind() + " is out of range of a float");
    }
    return number;
  }

  private static Double doubleNumber(JsonNode node) {
    double number = Double.parseDouble(digits(node, "a number"));
    if (Double.isInfinite(number)) {
      throw new ValueFault(node.kind() + " is out of range of a double");
    }
    return number;
  }

  private static String digits(JsonNode node, String expected) {
    if (node instanceof JsonNode.Numeral numeral) {
      return numeral.digits();
    }
    throw unexpected(node, expected);
  }

  private static void write(JsonWriter json, Float number) {
    if (!Float.isFinite(number)) {
      throw new ValueFault(number + " is not a finite number");
    }
    json.writeNumber(number.toString());
  }

  private static void write(JsonWriter json, Double number) {
    if (!Double.isFinite(number)) {
      throw new ValueFault(number + " is not a finite number");
    }
    json.writeDouble(number);
  }

  private static void write(JsonWriter json, BigInteger number) {
    bounded(json, number.toString());
  }

  /** The unscaled digits, and an exponent if there is one, so that the scale survives. */
  private static void write(JsonWriter json, BigDecimal number) {
    if (Math.abs((long) number.precision() - 1 - number.scale()) > 999
        || number.precision() > JsonTree.MAX_NUMBER_CHARS) {
      throw new ValueFault("the number has too many digits or too large an exponent");
    }
    bounded(json, number.toString());
  }

  private static void bounded(JsonWriter json, String digits) {
    if (digits.length() > JsonTree.MAX_NUMBER_CHARS) {
      throw new ValueFault(
          "the number is longer than " + JsonTree.MAX_NUMBER_CHARS + " characters");
    }
    json.writeNumber(digits);
  }

  static ValueFault unexpected(JsonNode node, String expected) {
    return new ValueFault("is " + ValueFault.cut(node.kind()) + " and not " + expected);
  }
}
