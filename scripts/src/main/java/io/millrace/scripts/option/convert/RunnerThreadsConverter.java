package io.millrace.scripts.option.convert;

import io.millrace.tasktracker.RunnerThreads;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converts the kind of thread on which job invocations run. */
public final class RunnerThreadsConverter implements ITypeConverter<RunnerThreads> {

  @Override
  public RunnerThreads convert(String value) {
    return switch (value.strip().toLowerCase(Locale.ROOT)) {
      case "auto" -> RunnerThreads.AUTO;
      case "virtual" -> RunnerThreads.VIRTUAL;
      case "platform" -> RunnerThreads.PLATFORM;
      default ->
          throw new TypeConversionException(
              "'" + value + "' is not a kind of thread: use auto, virtual or platform");
    };
  }
}
