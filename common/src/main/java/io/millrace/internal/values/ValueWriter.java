package io.millrace.internal.values;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Writes values as JSON. Confined to one thread. */
public final class ValueWriter {
  private final StringBuilder json = new StringBuilder();

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
      json.append(scalar.write(value));
    } else if (value instanceof Enum<?> constant) {
      JsonText.appendQuoted(json, constant.name());
    } else if (value instanceof Record) {
      object(value, enter(depth));
    } else if (value instanceof Map<?, ?> map) {
      map(map, enter(depth));
    } else if (value instanceof List<?> || value instanceof Set<?>) {
      list((Collection<?>) value, enter(depth));
    } else {
      throw Types.without(value.getClass());
    }
    if (json.length() > JsonParser.MAX_CHARS) {
      throw new ValueFault("has more than " + JsonParser.MAX_CHARS + " characters as JSON");
    }
  }

  /** A value that contains itself ends here too. */
  private static int enter(int depth) {
    if (depth == JsonParser.MAX_DEPTH) {
      throw new ValueFault("is nested deeper than " + JsonParser.MAX_DEPTH);
    }
    return depth + 1;
  }

  private void object(Object record, int depth) {
    RecordType form = RecordType.of(record.getClass());
    char separator = '{';
    for (RecordType.Component component : form.components()) {
      try {
        Object value = form.get(record, component);
        Object present = value instanceof Optional<?> optional ? optional.orElse(null) : value;
        if (present != null) {
          name(separator, component.name());
          value(present, depth);
          separator = ',';
        } else if (!component.mayBeMissing() || (value == null && component.isOptional())) {
          throw new ValueFault("is null");
        }
      } catch (ValueFault fault) {
        throw fault.inside(component.name());
      }
    }
    json.append(separator == '{' ? "{}" : "}");
  }

  private void map(Map<?, ?> map, int depth) {
    char separator = '{';
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      if (!(entry.getKey() instanceof String key)) {
        throw new ValueFault(
            "the keys of a map must be String and not "
                + (entry.getKey() == null ? "null" : entry.getKey().getClass().getName()));
      }
      name(separator, key);
      separator = ',';
      try {
        value(entry.getValue(), depth);
      } catch (ValueFault fault) {
        throw fault.inside(key);
      }
    }
    json.append(separator == '{' ? "{}" : "}");
  }

  private void name(char separator, String name) {
    json.append(separator);
    JsonText.appendQuoted(json, name);
    json.append(':');
  }

  private void list(Collection<?> values, int depth) {
    json.append('[');
    int index = 0;
    for (Object value : values) {
      if (index > 0) {
        json.append(',');
      }
      try {
        value(value, depth);
      } catch (ValueFault fault) {
        throw fault.inside(index);
      }
      index++;
    }
    json.append(']');
  }
}
