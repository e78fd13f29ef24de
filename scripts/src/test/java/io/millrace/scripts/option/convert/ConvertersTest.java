package io.millrace.scripts.option.convert;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.tasktracker.RunnerThreads;
import java.util.Locale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;
import picocli.CommandLine.Option;

class ConvertersTest {

  @ParameterizedTest
  @EnumSource(RunnerThreads.class)
  void everyKindCanBeWritten(RunnerThreads kind) {
    String written = kind.name().toLowerCase(Locale.ROOT);
    Sample sample = new Sample();

    Converters.registerAt(new CommandLine(sample)).parseArgs("--threads", written);

    assertThat(sample.threads).isEqualTo(kind);
  }

  /** A command with this option. */
  private static final class Sample {
    @Option(names = "--threads")
    private RunnerThreads threads;
  }
}
