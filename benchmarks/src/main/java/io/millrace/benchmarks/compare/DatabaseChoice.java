package io.millrace.benchmarks.compare;

import io.millrace.benchmarks.database.DatabaseKind;
import java.util.List;

/** The values of {@code --db}. */
enum DatabaseChoice {
  H2,
  MARIADB,
  MYSQL,
  BOTH;

  /** Returns the selected databases, in the order in which they are measured. */
  List<DatabaseKind> kinds() {
    return switch (this) {
      case H2 -> List.of(DatabaseKind.H2);
      case MARIADB -> List.of(DatabaseKind.MARIADB);
      case MYSQL -> List.of(DatabaseKind.MYSQL);
      case BOTH -> List.of(DatabaseKind.H2, DatabaseKind.MARIADB);
    };
  }
}
