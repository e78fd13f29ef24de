package io.millrace.jobtracker.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Task ids are told apart as they are written, in a database that is made for other text too. */
@Tag("database")
class CharacterSetTest {

  @Test
  void allTablesAreOfTheirOwnCharacterSet() {
    try (TestDatabase database = TestDatabase.Kind.server().openEmpty()) {
      database.execute("ALTER DATABASE CHARACTER SET latin1 COLLATE latin1_swedish_ci");
      database.stores().nodeGroups().ensure("orders", 1);

      assertThat(database.query(ofThisDatabase("table_name", "tables")))
          .contains("jt_schema_history", "jt_job", "jt_waiting_orders");
      assertThat(database.query(ofThisDatabase("DISTINCT table_collation", "tables")))
          .containsExactly("utf8mb4_bin");
      assertThat(
              database.query(
                  ofThisDatabase("DISTINCT collation_name", "columns")
                      + " AND collation_name IS NOT NULL"))
          .containsExactly("utf8mb4_bin");
    }
  }

  private static String ofThisDatabase(String what, String table) {
    return "SELECT "
        + what
        + " FROM information_schema."
        + table
        + " WHERE table_schema = DATABASE()";
  }
}
