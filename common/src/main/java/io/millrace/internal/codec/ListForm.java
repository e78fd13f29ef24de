package io.millrace.internal.codec;

import io.millrace.internal.json.JsonReader;
import io.millrace.internal.json.JsonWriter;
import java.util.ArrayList;
import java.util.List;

/** A JSON array; a missing one is read as an empty list. */
final class ListForm<T> implements JsonForm<List<T>> {
  private final JsonForm<T> element;

  ListForm(JsonForm<T> element) {
    this.element = element;
  }

  @Override
  public void write(JsonWriter writer, List<T> values) {
    writer.startArray();
    for (int i = 0; i < values.size(); i++) {
      try {
        element.write(writer, values.get(i));
      } catch (InvalidValueException e) {
        throw e.inside(i);
      }
    }
    writer.endArray();
  }

  @Override
  public List<T> read(JsonReader reader) {
    if (!reader.nextIfArrayStart()) {
      throw new InvalidValueException("is not a list");
    }
    List<T> values = new ArrayList<>();
    while (!reader.nextIfArrayEnd()) {
      try {
        values.add(readElement(reader));
      } catch (InvalidValueException e) {
        throw e.inside(values.size());
      }
    }
    return values;
  }

  @Override
  public List<T> absent() {
    return List.of();
  }

  private T readElement(JsonReader reader) {
    if (reader.isNull()) {
      throw new InvalidValueException("is null");
    }
    return element.read(reader);
  }
}
