package io.millrace.scripts;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What the log of a node does not repeat at every start. */
class LogLevelsTest {
  @Test
  void newerServerThanFlywayKnowsIsNotWarnedOf() throws ClassNotFoundException {
    Class<?> warning = Class.forName("org.flywaydb.core.internal.database.base.Database");

    assertThat(LoggerFactory.getLogger(warning).isWarnEnabled()).isFalse();
    assertThat(LoggerFactory.getLogger(warning).isErrorEnabled()).isTrue();
    assertThat(LoggerFactory.getLogger("org.flywaydb.core.Flyway").isWarnEnabled()).isTrue();
  }
}
