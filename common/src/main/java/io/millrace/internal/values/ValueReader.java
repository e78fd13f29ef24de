package io.millrace.internal.values;

import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads values from JSON. Strict: no value is converted to another kind. A field that a record does
 * not have is passed over, so that a job of a newer version of an application runs on workers of
 * the version before. Lists, sets and maps are unmodifiable. Stateless.
 */
public final class ValueReader {
  private ValueReader() {}

  /**
   * Reads a value.
   *
   * @throws ValueFault if the text is not JSON or does not fit the type
   */
  public static Object read(String json, Type type) {
    Types.requireForm(type, false);
    return read(JsonTree.parse(json), type);
  }

  private static Object read(JsonNode node, Type type) {
    Class<?> raw = GenericTypes.rawOf(type);
    Scalar<?> scalar = Scalars.of(raw);
    if (node instanceof JsonNode.Null) {
      throw new ValueFault("is null");
    }
    if (scalar != null) {
      return scalar.reader().apply(node);
    }
    if (raw.isEnum()) {
      return Scalars.constant(node, raw);
    }
    if (raw.isRecord()) {
      return record(node, type, RecordType.of(raw));
    }
    if (raw == Map.class) {
      Types.requireStringKeys(type);
      return map(node, GenericTypes.argument(type, 1));
    }
    if (raw == Set.class) {
      return set(node, GenericTypes.argument(type, 0));
    }
    if (Types.isCollection(raw)) {
      return Collections.unmodifiableList(list(node, GenericTypes.argument(type, 0)));
    }
    if (raw == Object.class) {
      return any(node);
    }
    throw Types.without(raw);
  }

  private static Object record(JsonNode node, Type type, RecordType form) {
    Map<String, JsonNode> fields = fields(node);
    List<RecordType.Component> components = form.components();
    @Nullable Object[] values = new Object[components.size()];
    for (int i = 0; i < values.length; i++) {
      RecordType.Component component = components.get(i);
      try {
        values[i] = component(fields.get(component.name()), type, component);
      } catch (ValueFault fault) {
        throw fault.inside(component.name());
      }
    }
    return form.create(values);
  }

  private static @Nullable Object component(
      @Nullable JsonNode node, Type record, RecordType.Component component) {
    Type type = GenericTypes.within(record, component.type());
    if (node != null && !(node instanceof JsonNode.Null)) {
      return component.isOptional()
          ? Optional.of(read(node, GenericTypes.argument(type, 0)))
          : read(node, type);
    }
    if (!component.mayBeMissing()) {
      throw new ValueFault(node == null ? "is missing" : "is null");
    }
    return component.isOptional() ? Optional.empty() : null;
  }

  private static Map<String, Object> map(JsonNode node, Type valueType) {
    Map<String, Object> values = new LinkedHashMap<>();
    fields(node)
        .forEach(
            (name, value) -> {
              try {
                values.put(name, read(value, valueType));
              } catch (ValueFault fault) {
                throw fault.inside(name);
              }
            });
    return Collections.unmodifiableMap(values);
  }

  private static List<Object> list(JsonNode node, Type elementType) {
    List<Object> values = new ArrayList<>();
    for (JsonNode element : elements(node)) {
      try {
        values.add(read(element, elementType));
      } catch (ValueFault fault) {
        throw fault.inside(values.size());
      }
    }
    return values;
  }

  private static Set<Object> set(JsonNode node, Type elementType) {
    Collection<Object> elements = list(node, elementType);
    Set<Object> values = new LinkedHashSet<>(elements);
    if (values.size() < elements.size()) {
      throw new ValueFault("has an element twice and is to be a set");
    }
    return Collections.unmodifiableSet(values);
  }

  /** A value of no declared type: text, BigDecimal, Boolean, list or map. */
  private static Object any(JsonNode node) {
    if (node instanceof JsonNode.Fields) {
      return map(node, Object.class);
    }
    if (node instanceof JsonNode.Elements) {
      return Collections.unmodifiableList(list(node, Object.class));
    }
    if (node instanceof JsonNode.Flag flag) {
      return flag.value();
    }
    return node instanceof JsonNode.Numeral ? Scalars.number(node) : Scalars.text(node);
  }

  private static Map<String, JsonNode> fields(JsonNode node) {
    if (node instanceof JsonNode.Fields object) {
      return object.values();
    }
    throw Scalars.unexpected(node, "an object");
  }

  private static List<JsonNode> elements(JsonNode node) {
    if (node instanceof JsonNode.Elements list) {
      return list.values();
    }
    throw Scalars.unexpected(node, "a list");
  }
}
