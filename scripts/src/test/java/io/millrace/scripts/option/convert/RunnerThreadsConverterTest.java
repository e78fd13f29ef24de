package io.millrace.scripts.option.convert;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.tasktracker.RunnerThreads;
import java.util.Locale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RunnerThreadsConverterTest {

  @ParameterizedTest
  @EnumSource(RunnerThreads.class)
  void everyKindCanBeWritten(RunnerThreads kind) {
    String written = kind.name().toLowerCase(Locale.ROOT);

    assertThat(new RunnerThreadsConverter().convert(written)).isEqualTo(kind);
  }
}
