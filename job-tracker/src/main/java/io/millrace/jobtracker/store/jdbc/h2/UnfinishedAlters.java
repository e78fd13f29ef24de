package io.millrace.jobtracker.store.jdbc.h2;

import java.sql.Connection;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/**
 * The leftovers of a kill during an {@code ALTER TABLE} of H2. H2 fills a copy with the new column,
 * commits, drops the table, commits, and gives the copy and its parts the names of the table and
 * its parts. After a kill, either the unchanged table exists beside a possibly incomplete copy, or
 * only the complete copy exists. Methods throw a {@code DataAccessException} if H2 fails.
 */
final class UnfinishedAlters {
  /**
   * The name that {@code Database.getTempTableName} of H2 gives the copy; names of its parts begin
   * with it.
   */
  private static final Pattern COPY = Pattern.compile("(JT_\\w+?)_COPY_\\d+_\\d+");

  private static final Pattern PART_OF_COPY = Pattern.compile(COPY.pattern() + "_(\\w+)");
  private static final String GROUPS = "JT_NODE_GROUP";
  private static final Logger LOG = LoggerFactory.getLogger(UnfinishedAlters.class);

  /** A table that H2 has created as a copy of another. */
  private record Copy(String name, String original) {}

  /** A constraint or an index of a table. */
  private record Part(String table, String name) {}

  private final JdbcTemplate jdbc;

  /**
   * Uses the connection for all statements.
   *
   * @param connection a connection in auto-commit mode
   */
  UnfinishedAlters(Connection connection) {
    this.jdbc = new JdbcTemplate(new SingleConnectionDataSource(connection, true));
  }

  /** Whether there may be leftovers, or another connection is currently altering a table. */
  boolean areThere() {
    return !copies(tables()).isEmpty()
        || !renamesOfConstraints().isEmpty()
        || !renamesOfIndexes().isEmpty();
  }

  /**
   * Finishes or reverts the alterations, so that the statement can run again. May itself be killed
   * at any moment and repeated. No other connection may alter a table meanwhile.
   */
  void finish() {
    // First the table of node groups: it lists the tables that belong to node groups.
    for (Copy copy : copies(tables())) {
      if (copy.original().equals(GROUPS)) {
        finish(copy);
      }
    }
    for (Copy copy : copies(tables())) {
      finish(copy);
    }
    renamesOfConstraints().forEach(jdbc::execute);
    renamesOfIndexes().forEach(jdbc::execute);
  }

  private void finish(Copy copy) {
    LOG.info(
        "{}: H2 was stopped while it altered this table; completing the change", copy.original());
    jdbc.execute(
        tables().contains(copy.original())
            ? "DROP TABLE \"" + copy.name() + "\""
            : "ALTER TABLE \"%s\" RENAME TO \"%s\"".formatted(copy.name(), copy.original()));
  }

  private List<Copy> copies(Set<String> tables) {
    Set<String> ofGroups = new HashSet<>();
    if (tables.contains(GROUPS)) {
      jdbc.queryForList("SELECT table_name FROM jt_node_group", String.class)
          .forEach(name -> ofGroups.add(name.toUpperCase(Locale.ROOT)));
    }
    List<Copy> copies = new ArrayList<>();
    for (String table : tables) {
      Matcher name = COPY.matcher(table);
      if (name.matches() && !ofGroups.contains(table)) {
        copies.add(new Copy(table, name.group(1)));
      }
    }
    return copies;
  }

  private List<String> renamesOfConstraints() {
    return renamesOfParts(
        "SELECT table_name, constraint_name FROM information_schema.table_constraints"
            + " WHERE table_schema = CURRENT_SCHEMA",
        "ALTER TABLE \"%1$s\" RENAME CONSTRAINT \"%2$s\" TO \"%3$s\"");
  }

  private List<String> renamesOfIndexes() {
    return renamesOfParts(
        "SELECT table_name, index_name FROM information_schema.indexes"
            + " WHERE table_schema = CURRENT_SCHEMA",
        "ALTER INDEX \"%2$s\" RENAME TO \"%3$s\"");
  }

  private List<String> renamesOfParts(String query, String rename) {
    List<String> renames = new ArrayList<>();
    for (Part part :
        jdbc.query(query, (row, number) -> new Part(row.getString(1), row.getString(2)))) {
      Matcher name = PART_OF_COPY.matcher(part.name());
      if (name.matches() && name.group(1).equals(part.table())) {
        renames.add(rename.formatted(part.table(), part.name(), name.group(2)));
      }
    }
    return renames;
  }

  private Set<String> tables() {
    return new HashSet<>(
        jdbc.queryForList(
            "SELECT table_name FROM information_schema.tables"
                + " WHERE table_schema = CURRENT_SCHEMA",
            String.class));
  }
}
