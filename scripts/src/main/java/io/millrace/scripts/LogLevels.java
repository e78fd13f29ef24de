package io.millrace.scripts;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.slf4j.LoggerFactory;

/** Sets log levels. */
final class LogLevels {

  private LogLevels() {}

  /** Sets the level of every logger that has no level of its own in {@code logback.xml}. */
  static void set(Level level) {
    ((Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME)).setLevel(level);
  }

  /**
   * Parses the name of a level.
   *
   * @throws IllegalArgumentException if there is no such level
   */
  static Level parse(String name) {
    Level level = Level.toLevel(name.strip(), null);
    if (level == null) {
      throw new IllegalArgumentException(
          "'" + name + "' is not a log level: use ERROR, WARN, INFO, DEBUG or TRACE");
    }
    return level;
  }
}
