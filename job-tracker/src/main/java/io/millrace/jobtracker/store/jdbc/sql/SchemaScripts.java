package io.millrace.jobtracker.store.jdbc.sql;

import io.millrace.jobtracker.store.failure.StoreException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.flywaydb.core.api.MigrationInfo;
import org.springframework.core.io.ClassPathResource;

/** The SQL files of one dialect on the class path. */
public final class SchemaScripts {
  /** A comment, something in quotes, the end of a statement, or anything else. */
  private static final Pattern PART =
      Pattern.compile("--[^\n]*|'[^']*'|\"[^\"]*\"|`[^`]*`|;|[^-'\"`;]+|-");

  private final String folder;

  public SchemaScripts(Dialect dialect) {
    this.folder = "schema/" + dialect.schemaFolder() + "/";
  }

  /** Returns the template of a waiting table, with {@code ${table}} in place of the name. */
  public String waitingTable() {
    return read("waiting-table.sql");
  }

  /**
   * Returns the upgrade of a waiting table to this version from the previous one, with {@code
   * ${table}} in place of the name.
   */
  public String waitingTableUpgrade(int version) {
    return read("waiting-table-upgrade-" + version + ".sql");
  }

  public String migration(MigrationInfo migration) {
    return read("migration/" + migration.getScript());
  }

  /** Returns the table that records applied migrations, as Flyway created it. */
  public String history() {
    return read("schema-history.sql");
  }

  /** Returns the statement that records a migration as applied, unless it is recorded. */
  public String historyRow(MigrationInfo migration) {
    return read("schema-history-row.sql")
        .replace("${version}", migration.getVersion().getVersion())
        .replace("${description}", migration.getDescription())
        .replace("${script}", migration.getScript())
        .replace("${checksum}", String.valueOf(migration.getChecksum()));
  }

  /** Returns the statements of a script, without comments; quotes may contain anything. */
  public static List<String> statements(String script) {
    List<String> statements = new ArrayList<>();
    StringBuilder statement = new StringBuilder();
    Matcher parts = PART.matcher(script);
    while (parts.find()) {
      String part = parts.group();
      if (part.equals(";")) {
        statements.add(statement.toString().strip());
        statement.setLength(0);
      } else if (!part.startsWith("--")) {
        statement.append(part);
      }
    }
    statements.add(statement.toString().strip());
    statements.removeIf(String::isEmpty);
    return statements;
  }

  private String read(String name) {
    try {
      return new ClassPathResource(folder + name).getContentAsString(StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new StoreException("/" + folder + name + " is not on the class path", e);
    }
  }
}
