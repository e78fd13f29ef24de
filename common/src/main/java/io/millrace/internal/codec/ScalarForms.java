package io.millrace.internal.codec;

import io.millrace.internal.json.JsonReader;
import io.millrace.internal.json.JsonWriter;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The forms of single values. Each accepts only its own kind of JSON value; a 64-bit integer may be
 * a string or a number.
 */
final class ScalarForms {

  /** Instants, durations and zones are short; longer text is rejected before it is parsed. */
  private static final int MAX_CHARS = 64;

  private static final JsonForm<Integer> INT = form(JsonWriter::writeInt, ScalarForms::readInt, 0);
  private static final JsonForm<Long> LONG =
      form((writer, value) -> writer.writePlainString(value.toString()), ScalarForms::readLong, 0L);
  private static final JsonForm<Double> DOUBLE =
      form(ScalarForms::writeDouble, ScalarForms::readDouble, 0.0);
  private static final JsonForm<Boolean> BOOLEAN =
      form((writer, value) -> writer.writeBoolean(value), ScalarForms::readBoolean, false);

  private static final Map<Class<?>, JsonForm<?>> FORMS =
      Map.ofEntries(
          Map.entry(String.class, form(JsonWriter::writeString, ScalarForms::readString, null)),
          Map.entry(int.class, INT),
          Map.entry(Integer.class, INT),
          Map.entry(long.class, LONG),
          Map.entry(Long.class, LONG),
          Map.entry(double.class, DOUBLE),
          Map.entry(Double.class, DOUBLE),
          Map.entry(boolean.class, BOOLEAN),
          Map.entry(Boolean.class, BOOLEAN),
          Map.entry(
              Instant.class, text("an ISO-8601 instant", InstantText::format, InstantText::parse)),
          Map.entry(
              Duration.class, text("an ISO-8601 duration", Duration::toString, Duration::parse)),
          Map.entry(ZoneId.class, text("a time zone", ZoneId::toString, ScalarForms::zone)));

  private ScalarForms() {}

  /** The form of this type, or null if it is not a scalar. */
  static @Nullable JsonForm<?> of(Class<?> type) {
    return FORMS.get(type);
  }

  static String readString(JsonReader reader) {
    if (!reader.isString()) {
      throw new InvalidValueException("is not a string");
    }
    return reader.readString();
  }

  private static Integer readInt(JsonReader reader) {
    Long value = reader.isNumber() ? reader.readWholeNumber() : null;
    if (value == null || value.intValue() != value) {
      throw new InvalidValueException("is not a 32-bit integer");
    }
    return value.intValue();
  }

  private static Long readLong(JsonReader reader) {
    Long value = null;
    if (reader.isString()) {
      value = parseLong(reader.readString());
    } else if (reader.isNumber()) {
      value = reader.readWholeNumber();
    }
    if (value == null) {
      throw new InvalidValueException("is not a 64-bit integer");
    }
    return value;
  }

  private static @Nullable Long parseLong(String digits) {
    try {
      return Long.valueOf(digits);
    } catch (NumberFormatException e) {
      return null;
    }
  }

  private static Double readDouble(JsonReader reader) {
    if (!reader.isNumber()) {
      throw new InvalidValueException("is not a number");
    }
    return finite(reader.readDouble());
  }

  private static void writeDouble(JsonWriter writer, Double value) {
    writer.writeDouble(finite(value));
  }

  private static double finite(double value) {
    if (!Double.isFinite(value)) {
      throw new InvalidValueException("is not a finite number");
    }
    return value;
  }

  private static Boolean readBoolean(JsonReader reader) {
    if (!reader.isBool()) {
      throw new InvalidValueException("is not true or false");
    }
    return reader.readBoolean();
  }

  /** The form of values whose text is ASCII without quotation marks and backslashes. */
  private static <T> JsonForm<T> text(
      String what, Function<T, String> formatter, Function<String, T> parser) {
    return form(
        (writer, value) -> writer.writePlainString(formatter.apply(value)),
        reader -> parse(readString(reader), what, parser),
        null);
  }

  /** A person types it, among other fields: so the message says which one is wrong. */
  private static ZoneId zone(String text) {
    try {
      return ZoneId.of(text);
    } catch (DateTimeException e) {
      boolean isReadable = text.chars().allMatch(character -> character >= ' ' && character < 127);
      throw new InvalidValueException(
          isReadable ? "is not a time zone: '" + text + "'" : "is not a time zone");
    }
  }

  private static <T> T parse(String text, String what, Function<String, T> parser) {
    if (text.length() > MAX_CHARS) {
      throw new InvalidValueException("is not " + what);
    }
    try {
      return parser.apply(text);
    } catch (DateTimeException e) {
      throw new InvalidValueException("is not " + what);
    }
  }

  private static <T> JsonForm<T> form(
      BiConsumer<JsonWriter, T> write, Function<JsonReader, T> read, @Nullable T absent) {
    return new JsonForm<>() {
      @Override
      public void write(JsonWriter writer, T value) {
        write.accept(writer, value);
      }

      @Override
      public T read(JsonReader reader) {
        return read.apply(reader);
      }

      @Override
      public @Nullable T absent() {
        return absent;
      }
    };
  }
}
