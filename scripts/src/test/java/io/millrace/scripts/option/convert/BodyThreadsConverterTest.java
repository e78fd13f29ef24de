package io.millrace.scripts.option.convert;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.tasktracker.BodyThreads;
import java.util.Locale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class BodyThreadsConverterTest {

  @ParameterizedTest
  @EnumSource(BodyThreads.class)
  void everyKindCanBeWritten(BodyThreads kind) {
    String written = kind.name().toLowerCase(Locale.ROOT);

    assertThat(new BodyThreadsConverter().convert(written)).isEqualTo(kind);
  }
}
