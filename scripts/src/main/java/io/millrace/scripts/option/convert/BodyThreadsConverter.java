package io.millrace.scripts.option.convert;

import io.millrace.tasktracker.BodyThreads;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts the kind of thread on which job bodies run. */
public final class BodyThreadsConverter implements ITypeConverter<BodyThreads> {

  @Override
  public BodyThreads convert(String value) {
    return switch (value.strip().toLowerCase(Locale.ROOT)) {
      case "auto" -> BodyThreads.AUTO;
      case "virtual" -> BodyThreads.VIRTUAL;
      case "platform" -> BodyThreads.PLATFORM;
      default ->
          throw new TypeConversionException(
              "'" + value + "' is not a kind of thread: use auto, virtual or platform");
    };
  }
}
