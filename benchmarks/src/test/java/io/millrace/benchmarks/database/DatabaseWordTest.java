package io.millrace.benchmarks.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.TypeConversionException;

class DatabaseWordTest {
  private static final DatabaseWord WITHOUT_PROGRAMS = new DatabaseWord(Map.of());

  @Test
  void wordsAreTakenInAnyCase() {
    assertThat(WITHOUT_PROGRAMS.convert("h2")).isEqualTo(DatabaseKind.H2);
    assertThat(WITHOUT_PROGRAMS.convert("MariaDB")).isEqualTo(DatabaseKind.MARIADB);
  }

  @Test
  void databaseWhoseProgramIsMissingIsRefused() {
    assertThatExceptionOfType(TypeConversionException.class)
        .isThrownBy(() -> WITHOUT_PROGRAMS.convert("mysql"))
        .withMessageStartingWith("MILLRACE_MYSQL is not set; it must be the path of a program");
    assertThat(new DatabaseWord(Map.of("MILLRACE_MYSQL", "/bin/sh")).convert("mysql"))
        .isEqualTo(DatabaseKind.MYSQL);
  }

  @Test
  void unknownDatabaseIsRefusedWithTheOnesThatExist() {
    assertThatExceptionOfType(TypeConversionException.class)
        .isThrownBy(() -> WITHOUT_PROGRAMS.convert("oracle"))
        .withMessage("there is no database 'oracle', only h2, mariadb, mysql");
  }
}
