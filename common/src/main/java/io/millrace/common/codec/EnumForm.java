package io.millrace.common.codec;

import com.alibaba.fastjson2.JSONReader;
import com.alibaba.fastjson2.JSONWriter;
import java.util.Arrays;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A constant by its name; a name that this version does not know, or none at all, is UNKNOWN. */
final class EnumForm<E extends Enum<E>> implements JsonForm<E> {
  private final Map<String, E> byName;
  private final @Nullable E unknown;

  EnumForm(Class<E> type) {
    byName =
        Arrays.stream(type.getEnumConstants())
            .collect(Collectors.toUnmodifiableMap(Enum::name, Function.identity()));
    unknown = byName.get("UNKNOWN");
  }

  @Override
  public void write(JSONWriter writer, E value) {
    writer.writeString(value.name());
  }

  @Override
  public E read(JSONReader reader) {
    E known = byName.get(ScalarForms.readString(reader));
    if (known != null) {
      return known;
    }
    if (unknown == null) {
      throw new InvalidValueException("is not one of " + byName.keySet());
    }
    return unknown;
  }

  @Override
  public @Nullable E absent() {
    return unknown;
  }
}
