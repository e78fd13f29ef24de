package io.millrace.internal.codec;

import io.millrace.internal.json.JsonReader;
import io.millrace.internal.json.JsonWriter;
import org.jspecify.annotations.Nullable;

/**
 * The form of records that are mostly equal from job to job, such as the default retry policy:
 * remembers the last record and its text, so that an equal one is neither taken apart nor put
 * together again. The values must be immutable.
 */
final class RepeatedForm<T> implements JsonForm<T> {
  /** Longer ones are not remembered, so that a codec stays small. */
  private static final int MAX_CHARS = 1_024;

  private final RecordForm<T> form;

  // Threads may overwrite each other's; each is complete, and any of them serves.
  private volatile @Nullable Written<T> lastWritten;
  private volatile @Nullable Read<T> lastRead;

  RepeatedForm(RecordForm<T> form) {
    this.form = form;
  }

  @Override
  public void write(JsonWriter writer, T value) {
    Written<T> written = lastWritten;
    if (written == null || !written.value.equals(value)) {
      JsonWriter alone = new JsonWriter();
      form.write(alone, value);
      written = new Written<>(value, alone.toBytes(), alone.chars());
      if (written.chars <= MAX_CHARS) {
        lastWritten = written;
      }
    }
    writer.writeEncoded(written.utf8, written.chars);
  }

  @Override
  public T read(JsonReader reader) {
    Read<T> last = lastRead;
    if (last != null && reader.nextIfObject(last.json)) {
      return last.value;
    }
    int start = reader.position();
    T value = form.read(reader);
    String json = reader.objectFrom(start);
    if (json.length() <= MAX_CHARS) {
      lastRead = new Read<>(value, json);
    }
    return value;
  }

  @Override
  public @Nullable T absent() {
    return form.absent();
  }

  private static final class Written<T> {
    private final T value;
    private final byte[] utf8;
    private final int chars;

    private Written(T value, byte[] utf8, int chars) {
      this.value = value;
      this.utf8 = utf8;
      this.chars = chars;
    }
  }

  private record Read<T>(T value, String json) {}
}
