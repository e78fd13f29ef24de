package io.millrace.internal.config;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads a configuration into typed values, for records that validate themselves.
 *
 * <p>A record asks for each of its keys; at the end {@link #finish} throws one {@link
 * ConfigException} with all problems: values that cannot be read or are out of bounds, missing
 * keys, keys set twice, unknown keys. Until then a bad value reads as its default, so that the
 * record asks for all keys and all problems are found. White space around a value is ignored. Not
 * thread-safe.
 */
public final class Settings {
  private final String source;
  private final Map<String, PropertiesText.Entry> entries = new LinkedHashMap<>();
  private final Map<String, SettingKey> keys = new LinkedHashMap<>();
  private final List<Problem> problems = new ArrayList<>();

  private Settings(String source) {
    this.source = source;
  }

  /**
   * Reads a {@code .properties} file in UTF-8.
   *
   * @throws ConfigException if the file cannot be read, or is not text in UTF-8
   */
  public static Settings load(Path file) {
    try {
      return parse(file.toString(), Files.readString(file));
    } catch (CharacterCodingException notText) {
      throw new ConfigException(file.toString(), List.of("the file is not UTF-8 text"));
    } catch (IOException unreadable) {
      throw new ConfigException(file.toString(), List.of("the file cannot be read: " + unreadable));
    }
  }

  /** Takes values from a map, as if they were read from a file. */
  public static Settings of(String source, Map<String, String> values) {
    Settings settings = new Settings(source);
    values.forEach(
        (key, value) ->
            settings.entries.put(
                key, new PropertiesText.Entry(key, value.strip(), Problem.NO_LINE)));
    return settings;
  }

  static Settings parse(String source, String text) {
    Settings settings = new Settings(source);
    PropertiesText properties =
        PropertiesText.read(text.startsWith("\uFEFF") ? text.substring(1) : text);
    settings.problems.addAll(properties.problems());
    properties.entries().forEach(settings::add);
    return settings;
  }

  public String string(String key, String defaultValue) {
    return get(key, ValueTypes.STRING, defaultValue);
  }

  public boolean bool(String key, boolean defaultValue) {
    return get(key, ValueTypes.BOOLEAN, defaultValue);
  }

  public int integer(String key, int defaultValue, Bounds<Integer> bounds) {
    return get(key, ValueTypes.bounded(ValueTypes.INTEGER, bounds), defaultValue);
  }

  public long longInteger(String key, long defaultValue, Bounds<Long> bounds) {
    return get(key, ValueTypes.bounded(ValueTypes.LONG, bounds), defaultValue);
  }

  public Duration duration(String key, Duration defaultValue) {
    return get(key, ValueTypes.DURATION, defaultValue);
  }

  public Duration duration(String key, Duration defaultValue, Bounds<Duration> bounds) {
    return get(key, ValueTypes.bounded(ValueTypes.DURATION, bounds), defaultValue);
  }

  /** A number of bytes. */
  public long byteSize(String key, long defaultValue, Bounds<Long> bounds) {
    return get(key, ValueTypes.bounded(ValueTypes.BYTE_SIZE, bounds), defaultValue);
  }

  public <E extends Enum<E>> E enumeration(String key, E defaultValue) {
    return get(key, ValueTypes.enumOf(defaultValue.getDeclaringClass()), defaultValue);
  }

  public Path path(String key, Path defaultValue) {
    return get(key, ValueTypes.PATH, defaultValue);
  }

  /**
   * A value of any type, with a default.
   *
   * @throws IllegalStateException if the type rejects the default or reads it as another value, or
   *     if the key was asked for in another way before
   */
  public <T> T get(String key, ValueType<T> type, T defaultValue) {
    String text = type.writer().apply(defaultValue);
    requireAcceptable(key, type, defaultValue, text);
    know(new SettingKey(key, type.name(), SettingKey.Presence.DEFAULTED, text));
    T value = read(key, type);
    return value == null ? defaultValue : value;
  }

  /** A value of any type that may be left out. */
  public <T> Optional<T> optional(String key, ValueType<T> type) {
    know(new SettingKey(key, type.name(), SettingKey.Presence.OPTIONAL, null));
    return Optional.ofNullable(read(key, type));
  }

  /** A value of any type that must be present. */
  public <T> T required(String key, ValueType<T> type) {
    know(new SettingKey(key, type.name(), SettingKey.Presence.REQUIRED, null));
    if (!entries.containsKey(key)) {
      problems.add(new Problem(Problem.NO_LINE, key + " is required (" + type.name() + ")"));
    }
    T value = read(key, type);
    return value == null ? type.placeholder() : value;
  }

  /**
   * Reads a section of the settings. An exception of the section's record becomes one of the
   * problems, under the section's name.
   *
   * @param fallback returned if the record rejects its values
   */
  public <T> T section(String name, Supplier<T> reader, T fallback) {
    try {
      return reader.get();
    } catch (IllegalArgumentException e) {
      reject(name, "is invalid: " + e.getMessage());
      return fallback;
    }
  }

  /**
   * Records a problem that concerns several values together.
   *
   * @param message continues after the key: "needs tls.key as well"
   */
  public void reject(String key, String message) {
    PropertiesText.Entry entry = entries.get(key);
    problems.add(new Problem(entry == null ? Problem.NO_LINE : entry.line(), key + " " + message));
  }

  /** All keys asked for so far, in the order of the first request. */
  public List<SettingKey> keys() {
    return List.copyOf(keys.values());
  }

  /**
   * Ends the reading and reports the problems.
   *
   * @throws ConfigException with all problems, if there are any; those with a line come first
   */
  public void finish() {
    List<Problem> all = new ArrayList<>(problems);
    entries.values().stream()
        .filter(entry -> !keys.containsKey(entry.key()))
        .forEach(entry -> all.add(new Problem(entry.line(), unknown(entry.key()))));
    if (!all.isEmpty()) {
      throw new ConfigException(source, sentences(all));
    }
  }

  /**
   * Reads a record and ends the reading. If the record rejects its values, its message is reported
   * only if there is no other problem, and unknown keys are not reported.
   *
   * @throws ConfigException with the problems, if there are any
   */
  public <T> T finish(Function<Settings, T> reader) {
    T result;
    try {
      result = reader.apply(this);
    } catch (IllegalArgumentException refused) {
      // The record did not ask for its later keys, so unknown keys cannot be determined here. The
      // record may have rejected a placeholder; then the missing value is the problem.
      List<Problem> found = problems.isEmpty() ? List.of(refusal(refused)) : problems;
      ConfigException failure = new ConfigException(source, sentences(found));
      failure.initCause(refused);
      throw failure;
    }
    finish();
    return result;
  }

  private void add(PropertiesText.Entry entry) {
    PropertiesText.Entry before = entries.put(entry.key(), entry);
    if (before != null) {
      String message = entry.key() + " is set twice, first on line " + before.line();
      problems.add(new Problem(entry.line(), message));
    }
  }

  private void know(SettingKey key) {
    SettingKey before = keys.putIfAbsent(key.name(), key);
    if (before != null && !before.equals(key)) {
      throw new IllegalStateException("the same key is read as " + before + " and as " + key);
    }
  }

  private static <T> void requireAcceptable(String key, ValueType<T> type, T value, String text) {
    T readBack;
    try {
      readBack = type.parser().apply(text);
    } catch (IllegalArgumentException refused) {
      throw new IllegalStateException("default " + text + " of " + key + " is invalid", refused);
    }
    if (!type.hidden() && !readBack.equals(value)) {
      throw new IllegalStateException(
          "default " + text + " of " + key + " is parsed as " + readBack);
    }
  }

  private <T> @Nullable T read(String key, ValueType<T> type) {
    PropertiesText.Entry entry = entries.get(key);
    if (entry == null) {
      return null;
    }
    try {
      return type.parser().apply(entry.value());
    } catch (IllegalArgumentException refused) {
      String shown = type.hidden() ? Secret.HIDDEN : entry.value();
      reject(key, refused.getMessage() + ", but is '" + shown + "'");
      return null;
    }
  }

  private String unknown(String key) {
    return "unknown key "
        + key
        + Spelling.nearest(key, keys.keySet())
            .map(name -> "; did you mean " + name + "?")
            .orElse("");
  }

  private static Problem refusal(IllegalArgumentException refused) {
    return new Problem(Problem.NO_LINE, String.valueOf(refused.getMessage()));
  }

  private List<String> sentences(List<Problem> found) {
    return found.stream()
        .sorted(Comparator.comparingInt(Problem::line))
        .map(
            p ->
                p.line() == Problem.NO_LINE ? p.message() : "line " + p.line() + ": " + p.message())
        .toList();
  }
}
