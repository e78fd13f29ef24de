package io.millrace.scripts;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Sets log levels. */
final class LogLevels {

  private LogLevels() {}

  /** Sets the level of every logger that has no level of its own in {@code logback.xml}. */
  static void set(Level level) {
    ((Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME)).setLevel(level);
  }

  /** Parses the name of a level. */
  static final class Converter implements ITypeConverter<Level> {

    @Override
    public Level convert(String name) {
      Level level = Level.toLevel(name.strip(), null);
      if (level == null) {
        throw new TypeConversionException(
            "'" + name + "' is not a log level: use ERROR, WARN, INFO, DEBUG or TRACE");
      }
      return level;
    }
  }
}
