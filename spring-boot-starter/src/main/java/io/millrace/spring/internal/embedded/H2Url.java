package io.millrace.spring.internal.embedded;

import java.nio.file.Path;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The URL of an H2 database.
 *
 * @param kind {@code file:}, {@code mem:} and the like; empty for a file too
 * @param path path or name
 * @param settings what follows the first semicolon, this included; may be empty
 */
record H2Url(String kind, String path, String settings) {
  private static final String START = "jdbc:h2:";
  private static final String MEMORY = "mem:";
  private static final Pattern PARTS =
      Pattern.compile("jdbc:h2:(?<kind>[a-zA-Z]{2,}:)?(?<path>[^;]*)(?<settings>.*)");

  /** Returns the parts of a URL; null if it is no URL of H2. */
  static @Nullable H2Url of(String url) {
    Matcher parts = PARTS.matcher(url);
    if (!parts.matches()) {
      return null;
    }
    String kind = parts.group("kind");
    return new H2Url(kind == null ? "" : kind, parts.group("path"), parts.group("settings"));
  }

  boolean isMemory() {
    return kind.equals(MEMORY);
  }

  boolean isFile() {
    return kind.isEmpty() || kind.equals("file:") || kind.equals("nio:") || kind.equals("async:");
  }

  boolean sets(String name) {
    return settings.toUpperCase(Locale.ROOT).contains(";" + name + "=");
  }

  /** Returns the path of the database's files, without a suffix; null if it has none here. */
  @Nullable Path file() {
    String home = System.getProperty("user.home", "~");
    return isFile()
        ? Path.of(path.replaceFirst("^~", Matcher.quoteReplacement(home)))
            .toAbsolutePath()
            .normalize()
        : null;
  }

  /**
   * Returns the URL of a database beside this one, for the tracker: without the settings, which are
   * for the application's statements. One in memory is another for each tracker.
   */
  String beside() {
    return isMemory()
        ? START + MEMORY + "millrace-" + UUID.randomUUID() + ";DB_CLOSE_DELAY=10"
        : START + kind + path + "-millrace";
  }

  /** Returns the URL of this database, which outlives its connections for a moment. */
  String kept() {
    String delay = isMemory() && !sets("DB_CLOSE_DELAY") ? ";DB_CLOSE_DELAY=10" : "";
    return START + kind + path + settings + delay;
  }
}
