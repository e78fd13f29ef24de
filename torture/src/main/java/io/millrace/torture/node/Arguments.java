package io.millrace.torture.node;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The command line arguments of a child process, in the form {@code name=value}. Immutable. */
public final class Arguments {
  private final Map<String, String> values;

  private Arguments(Map<String, String> values) {
    this.values = values;
  }

  public static Arguments none() {
    return new Arguments(Map.of());
  }

  public static Arguments of(String[] words) {
    Map<String, String> values = new LinkedHashMap<>();
    for (String word : words) {
      int equals = word.indexOf('=');
      values.put(word.substring(0, equals), word.substring(equals + 1));
    }
    return new Arguments(values);
  }

  public Arguments with(String name, Object value) {
    Map<String, String> more = new LinkedHashMap<>(values);
    more.put(name, value.toString());
    return new Arguments(more);
  }

  List<String> words() {
    List<String> words = new ArrayList<>();
    values.forEach((name, value) -> words.add(name + "=" + value));
    return words;
  }

  public String text(String name) {
    String value = values.get(name);
    if (value == null) {
      throw new IllegalArgumentException(name + " is missing");
    }
    return value;
  }

  public String[] list(String name) {
    return text(name).split(",", -1);
  }

  public int integer(String name) {
    return Integer.parseInt(text(name));
  }

  public long number(String name) {
    return Long.parseLong(text(name));
  }

  public Path path(String name) {
    return Path.of(text(name));
  }
}
