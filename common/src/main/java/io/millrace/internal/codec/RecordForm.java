package io.millrace.internal.codec;

import io.millrace.internal.json.JsonReader;
import io.millrace.internal.json.JsonWriter;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A JSON object with one field per component; a {@link Flattened} component has one per component
 * of its record. {@link UnknownNames} decides about unknown fields.
 */
final class RecordForm<T> implements JsonForm<T> {
  private static final int SHOWN_CHARS = 60;

  private final RecordShape<T> shape;
  private final UnknownNames unknownNames;
  private final @Nullable T defaults;
  private final List<ComponentForm> components;
  private final Map<String, Integer> indexes = new HashMap<>();

  RecordForm(Class<T> type, JsonForms forms) {
    shape = new RecordShape<>(type);
    unknownNames = forms.unknownNames();
    defaults = type.cast(RecordShape.defaultsOf(type));
    components = new ArrayList<>();
    for (RecordComponent component : shape.components()) {
      int i = components.size();
      Object usual = defaults == null ? null : shape.get(defaults, i);
      components.add(ComponentForm.of(component, forms, usual));
      if (indexes.put(component.getName(), i) != null) {
        throw new IllegalArgumentException(type + " has two fields of one name: " + component);
      }
    }
  }

  @Override
  public void write(JsonWriter writer, T record) {
    writer.startObject();
    writeFields(writer, record);
    writer.endObject();
  }

  /** Writes the fields of an object that has begun. */
  void writeFields(JsonWriter writer, T record) {
    for (int i = 0; i < components.size(); i++) {
      components.get(i).write(writer, shape.get(record, i));
    }
  }

  @Override
  public T read(JsonReader reader) {
    if (!reader.nextIfObjectStart()) {
      throw new InvalidValueException("is not an object");
    }
    @Nullable Object[] values = new Object[components.size()];
    int next = 0;
    while (!reader.nextIfObjectEnd()) {
      int index = indexOfField(reader, next);
      if (index >= 0) {
        values[index] = components.get(index).read(reader);
        next = index + 1;
      }
    }
    for (int i = 0; i < values.length; i++) {
      values[i] = components.get(i).orAbsent(values[i]);
    }
    return shape.create(values);
  }

  /**
   * Reads the name of a field and returns the index of its component; passes over a field that has
   * none, and returns -1.
   *
   * @param next the component behind that of the field before: mostly fields are in order, and then
   *     no string is made of their names
   */
  private int indexOfField(JsonReader reader, int next) {
    for (int i = next; i < components.size(); i++) {
      if (reader.nextIfFieldName(components.get(i).quotedName())) {
        return i;
      }
    }
    String name = reader.readFieldName();
    Integer index = indexes.get(name);
    if (index == null) {
      passOver(reader, name);
      return -1;
    }
    return index;
  }

  /** A record with defaults for all fields may be missing as a whole. */
  @Override
  public @Nullable T absent() {
    return components.stream().anyMatch(ComponentForm::isRequired) ? null : defaults;
  }

  private void passOver(JsonReader reader, String name) {
    if (unknownNames == UnknownNames.REFUSED) {
      String shown = name.length() <= SHOWN_CHARS ? name : name.substring(0, SHOWN_CHARS) + "…";
      throw new InvalidValueException(
          "has no field '"
              + shown
              + "'; it may have "
              + components.stream().map(ComponentForm::name).collect(Collectors.joining(", ")));
    }
    reader.skipValue();
  }
}
