package io.millrace.internal.values;

import io.millrace.internal.json.JsonReader;
import io.millrace.internal.json.JsonWriter;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Writes values as JSON. Confined to one thread. */
public final class ValueWriter {
  private final JsonWriter json = JsonWriter.lossless();

  private ValueWriter() {}

  /**
   * Returns the value as JSON.
   *
   * @throws ValueFault if it has no JSON form, or is larger or deeper than what can be read
   */
  public static String write(Object value) {
    ValueWriter writer = new ValueWriter();
    writer.value(value, 0);
    return writer.json.toString();
  }

  private void value(@Nullable Object value, int depth) {
    if (value == null) {
      throw new ValueFault("is null");
    }
    Scalar<?> scalar = Scalars.of(value.getClass());
    if (scalar != null) {
      scalar.write(json, value);
    } else if (value instanceof Enum<?> constant) {
      json.writeString(constant.name());
    } else if (value instanceof Record) {
      object(value, enter(depth));
    } else if (value instanceof Map<?, ?> map) {
      map(map, enter(depth));
    } else if (value instanceof List<?> || value instanceof Set<?>) {
      list((Collection<?>) value, enter(depth));
    } else {
      throw Types.without(value.getClass());
    }
    if (json.chars() > JsonTree.MAX_CHARS) {
      throw new ValueFault("has more than " + JsonTree.MAX_CHARS + " characters as JSON");
    }
  }

  /** A value that contains itself ends here too. */
  private static int enter(int depth) {
    if (depth == JsonReader.MAX_DEPTH) {
      throw new ValueFault("is nested deeper than " + JsonReader.MAX_DEPTH);
    }
    return depth + 1;
  }

  private void object(Object record, int depth) {
    RecordType form = RecordType.of(record.getClass());
    json.startObject();
    for (RecordType.Component component : form.components()) {
      try {
        Object value = form.get(record, component);
        Object present = value instanceof Optional<?> optional ? optional.orElse(null) : value;
        if (present != null) {
          json.writeName(component.name());
          value(present, depth);
        } else if (!component.mayBeMissing() || (value == null && component.isOptional())) {
          throw new ValueFault("is null");
        }
      } catch (ValueFault fault) {
        throw fault.inside(component.name());
      }
    }
    json.endObject();
  }

  private void map(Map<?, ?> map, int depth) {
    json.startObject();
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      if (!(entry.getKey() instanceof String key)) {
        throw new ValueFault(
            "the keys of a map must be String and not "
                + (entry.getKey() == null ? "null" : entry.getKey().getClass().getName()));
      }
      json.writeName(key);
      try {
        value(entry.getValue(), depth);
      } catch (ValueFault fault) {
        throw fault.inside(key);
      }
    }
    json.endObject();
  }

  private void list(Collection<?> values, int depth) {
    json.startArray();
    int index = 0;
    for (Object value : values) {
      try {
        value(value, depth);
      } catch (ValueFault fault) {
        throw fault.inside(index);
      }
      index++;
    }
    json.endArray();
  }
}
