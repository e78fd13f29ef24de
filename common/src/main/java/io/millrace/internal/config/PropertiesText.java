package io.millrace.internal.config;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/**
 * Reads the text of a {@code .properties} file entry by entry, because {@link Properties} loses
 * line numbers and duplicates. {@link Properties} still reads each entry, so that escapes and
 * separators have exactly the same meaning.
 */
final class PropertiesText {

  /**
   * One entry.
   *
   * @param line first line of the entry, counted from 1
   */
  record Entry(String key, String value, int line) {}

  private final List<Entry> entries = new ArrayList<>();
  private final List<Problem> problems = new ArrayList<>();

  private PropertiesText() {}

  static PropertiesText read(String text) {
    PropertiesText result = new PropertiesText();
    List<String> lines = text.lines().toList();
    int next = 0;
    while (next < lines.size()) {
      int first = next;
      StringBuilder entry = new StringBuilder(lines.get(next++));
      while (continues(lines.get(next - 1), first == next - 1) && next < lines.size()) {
        entry.append('\n').append(lines.get(next++));
      }
      result.add(entry.toString(), first + 1);
    }
    return result;
  }

  /** The entries in the order of the text, including duplicates. */
  List<Entry> entries() {
    return entries;
  }

  /** The entries that could not be read. */
  List<Problem> problems() {
    return problems;
  }

  private void add(String text, int line) {
    Properties properties = new Properties();
    try {
      properties.load(new StringReader(text));
    } catch (IllegalArgumentException badEscape) {
      problems.add(new Problem(line, "\\u must be followed by four hexadecimal digits"));
      return;
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    properties.stringPropertyNames().forEach(key -> add(key, properties.getProperty(key), line));
  }

  private void add(String key, String value, int line) {
    if (key.isEmpty()) {
      problems.add(new Problem(line, "a value has no key"));
    } else {
      entries.add(new Entry(key, value.strip(), line));
    }
  }

  /**
   * Whether the entry continues on the next line: this line ends with an odd number of backslashes.
   */
  private static boolean continues(String line, boolean first) {
    if (first && isComment(line)) {
      return false;
    }
    int backslashes = 0;
    while (backslashes < line.length() && line.charAt(line.length() - 1 - backslashes) == '\\') {
      backslashes++;
    }
    return backslashes % 2 == 1;
  }

  private static boolean isComment(String line) {
    String text = line.stripLeading();
    return text.startsWith("#") || text.startsWith("!");
  }
}
