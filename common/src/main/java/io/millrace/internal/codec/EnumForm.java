package io.millrace.internal.codec;

import io.millrace.internal.json.JsonReader;
import io.millrace.internal.json.JsonWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * An enum constant, written as its name. An unknown or missing name is read as UNKNOWN, unless the
 * enum has no such constant or {@linkplain UnknownNames#REFUSED unknown names are rejected}.
 */
final class EnumForm<E extends Enum<E>> implements JsonForm<E> {
  private static final String UNKNOWN = "UNKNOWN";

  private final Map<String, E> byName;
  private final List<String> allowed;
  private final @Nullable E unknown;

  EnumForm(Class<E> type, UnknownNames unknownNames) {
    boolean tolerant = unknownNames == UnknownNames.PASSED_OVER;
    byName =
        Arrays.stream(type.getEnumConstants())
            .filter(constant -> tolerant || !constant.name().equals(UNKNOWN))
            .collect(Collectors.toUnmodifiableMap(Enum::name, Function.identity()));
    allowed =
        Arrays.stream(type.getEnumConstants()).map(Enum::name).filter(byName::containsKey).toList();
    unknown = byName.get(UNKNOWN);
  }

  @Override
  public void write(JsonWriter writer, E value) {
    writer.writeString(value.name());
  }

  @Override
  public E read(JsonReader reader) {
    E known = byName.get(ScalarForms.readString(reader));
    if (known != null) {
      return known;
    }
    if (unknown == null) {
      throw new InvalidValueException("is not one of " + allowed);
    }
    return unknown;
  }

  @Override
  public @Nullable E absent() {
    return unknown;
  }
}
