package io.millrace.jobtracker.store.jdbc.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.jobtracker.store.jdbc.schema.Rights.Right;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Answers to SHOW GRANTS of MySQL 8 and 9 and of MariaDB 10.11 and 11. */
class RightsTest {
  private static final Set<Right> ALL = EnumSet.allOf(Right.class);

  private static Set<Right> missing(String database, String... grants) {
    return Rights.missing(ALL, List.of(grants), database).orElseThrow();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          GRANT ALL PRIVILEGES ON *.* TO `root`@`127.0.0.1` WITH GRANT OPTION
          GRANT ALL PRIVILEGES ON `millrace`.* TO `me`@`%` IDENTIFIED BY PASSWORD '*6A59'
          GRANT ALL PRIVILEGES ON "millrace".* TO "me"@"%"
          GRANT SELECT, INSERT, UPDATE, DELETE, CREATE, INDEX, ALTER ON `millrace`.* TO `me`@`%`
          GRANT SELECT, INSERT, UPDATE, DELETE, CREATE, DROP, RELOAD, INDEX, ALTER, SUPER ON *.* TO `root`@`localhost`
          GRANT ALL PRIVILEGES ON `mill%`.* TO `me`@`%`
          GRANT ALL PRIVILEGES ON `mill_ace`.* TO `me`@`%`
          """)
  void rightsOnEverythingOrOnTheDatabaseAreEnough(String grant) {
    assertThat(missing("millrace", "GRANT USAGE ON *.* TO `me`@`%`", grant)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          GRANT USAGE ON *.* TO `me`@`%`
          GRANT ALL PRIVILEGES ON `other`.* TO `me`@`%`
          GRANT ALL PRIVILEGES ON `mill\\_race`.* TO `me`@`%`
          GRANT `admin`@`%` TO `me`@`%`
          GRANT PROXY ON ``@`%` TO `me`@`%` WITH GRANT OPTION
          GRANT APPLICATION_PASSWORD_ADMIN,AUDIT_ADMIN ON *.* TO `me`@`%`
          """)
  void rightsOnOtherThingsAreNone(String grant) {
    assertThat(missing("millrace", grant)).isEqualTo(ALL);
  }

  @Test
  void backslashTakesItsMeaningFromAWildcard() {
    String grant = "GRANT ALL PRIVILEGES ON `mill\\_race`.* TO `me`@`%`";

    assertThat(missing("mill_race", grant)).isEmpty();
    assertThat(missing("mill-race", grant)).isEqualTo(ALL);
  }

  @Test
  void rightsAddUp() {
    assertThat(
            missing(
                "millrace",
                "GRANT SELECT ON *.* TO `me`@`%`",
                "GRANT INSERT, UPDATE, DELETE ON `millrace`.* TO `me`@`%`",
                "GRANT CREATE ON `mill%`.* TO `role`"))
        .containsExactlyInAnyOrder(Right.ALTER, Right.INDEX);
  }

  /** CREATE VIEW is not CREATE, and a right on a column is not one on the table. */
  @Test
  void rightsOfOtherNamesAreNone() {
    assertThat(
            missing(
                "millrace",
                "GRANT CREATE VIEW, ALTER ROUTINE, SELECT (`a`, `b`), INSERT ON `millrace`.* TO `me`@`%`"))
        .isEqualTo(EnumSet.complementOf(EnumSet.of(Right.INSERT)));
  }

  @Test
  void nothingIsSaidOfWhatIsGrantedOrRevokedInParts() {
    assertThat(
            Rights.missing(
                ALL,
                List.of("GRANT SELECT, INSERT ON `millrace`.`jt_job` TO `me`@`%`"),
                "millrace"))
        .isEmpty();
    assertThat(
            Rights.missing(
                ALL,
                List.of(
                    "GRANT SELECT ON *.* TO `me`@`%`",
                    "REVOKE INSERT ON `millrace`.* FROM `me`@`%`"),
                "millrace"))
        .isEmpty();
  }

  @Test
  void statementsTakeTheRightOfTheirKind() {
    assertThat(Rights.neededBy("\nCREATE TABLE jt_a (id INT)")).containsExactly(Right.CREATE);
    assertThat(Rights.neededBy("create index ix ON jt_a (id)")).containsExactly(Right.INDEX);
    assertThat(Rights.neededBy("ALTER TABLE jt_a ADD COLUMN b INT")).containsExactly(Right.ALTER);
    assertThat(Rights.neededBy("COMMENT ON COLUMN jt_a.id IS ''")).isEmpty();
  }

  @Test
  void grantCanBePasted() {
    assertThat(Rights.grant(Set.of(Right.INDEX, Right.ALTER), "millrace", "me@10.%"))
        .isEqualTo("GRANT ALTER, INDEX ON `millrace`.* TO 'me'@'10.%';");
    assertThat(Rights.grant(Set.of(Right.CREATE), "a`b", "o'me@here@%"))
        .isEqualTo("GRANT CREATE ON `a``b`.* TO 'o''me@here'@'%';");
  }
}
