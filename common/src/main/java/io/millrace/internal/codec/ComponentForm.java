package io.millrace.internal.codec;

import io.millrace.internal.json.JsonReader;
import io.millrace.internal.json.JsonWriter;
import java.lang.reflect.RecordComponent;
import org.jspecify.annotations.Nullable;

/** One component of a record: its name, its form, and whether it may be missing. */
final class ComponentForm {
  private final String name;
  private final String quotedName;
  private final byte[] encodedName;
  private final JsonForm<Object> form;
  private final boolean nullable;
  private final @Nullable Object absent;

  private ComponentForm(
      String name, JsonForm<Object> form, boolean nullable, @Nullable Object absent) {
    this.name = name;
    this.quotedName = '"' + name + '"';
    this.encodedName = JsonWriter.encodeName(name);
    this.form = form;
    this.nullable = nullable;
    this.absent = absent;
  }

  /**
   * Makes the form of a component.
   *
   * @param usual the component's value in the constant of the record's defaults; null if there is
   *     no such constant
   */
  static ComponentForm of(RecordComponent component, JsonForms forms, @Nullable Object usual) {
    JsonForm<Object> form = forms.of(component.getGenericType());
    boolean hasDefault = usual != null && !usual.equals("");
    return new ComponentForm(
        component.getName(),
        form,
        component.getAnnotatedType().isAnnotationPresent(Nullable.class),
        hasDefault ? usual : form.absent());
  }

  String name() {
    return name;
  }

  /** The name in quotation marks, as it stands in JSON. */
  String quotedName() {
    return quotedName;
  }

  boolean isRequired() {
    return !nullable && absent == null;
  }

  /** Writes the field; writes nothing for null. */
  void write(JsonWriter writer, @Nullable Object value) {
    if (value == null) {
      orAbsent(null);
      return;
    }
    writer.writeName(encodedName);
    try {
      form.write(writer, value);
    } catch (InvalidValueException e) {
      throw e.inside(name);
    }
  }

  /** Reads the field's value; null is the same as missing. */
  @Nullable Object read(JsonReader reader) {
    try {
      return reader.nextIfNull() ? null : form.read(reader);
    } catch (InvalidValueException e) {
      throw e.inside(name);
    }
  }

  /** Returns the value, or the default for a missing field. */
  @Nullable Object orAbsent(@Nullable Object value) {
    if (value != null || nullable) {
      return value;
    }
    if (absent == null) {
      throw new InvalidValueException("is missing").inside(name);
    }
    return absent;
  }
}
