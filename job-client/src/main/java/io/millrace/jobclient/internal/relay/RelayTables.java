package io.millrace.jobclient.internal.relay;

import io.millrace.jobclient.internal.request.JobKey;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;

/** The names of the tables, and the script that creates them. Immutable. */
public final class RelayTables {
  public static final String DEFAULT_PREFIX = "millrace_";

  /** The number of partitions; the rows of a task id are all in one. */
  static final int PARTITIONS = 16;

  private static final Pattern PREFIX =
      Pattern.compile("([A-Za-z][A-Za-z0-9_]{0,62}\\.)?[A-Za-z][A-Za-z0-9_]{0,31}");
  private static final Pattern COMMENT = Pattern.compile("(?m)^--.*$");

  private final String prefix;

  /**
   * @param prefix what the names of the tables begin with, possibly after the name of a schema and
   *     a dot
   * @throws IllegalArgumentException if it is no such prefix
   */
  public RelayTables(String prefix) {
    if (!PREFIX.matcher(prefix).matches()) {
      throw new IllegalArgumentException(
          "the table prefix '"
              + prefix
              + "' must have 1 to 32 letters, digits and underscores, and begin with a letter; a"
              + " schema and a dot may precede it");
    }
    this.prefix = prefix;
  }

  String rows() {
    return prefix + "enqueued";
  }

  String rejected() {
    return prefix + "enqueued_rejected";
  }

  String leases() {
    return prefix + "enqueued_lease";
  }

  /** Returns the partition of a job's rows: the same in every version of this library. */
  static int partitionOf(JobKey key) {
    return Math.floorMod(key.toString().hashCode(), PARTITIONS);
  }

  /** Returns the statements that create the tables. */
  List<String> script(DatabaseKind kind) {
    String name = "/io/millrace/jobclient/" + kind.script();
    try (InputStream file = RelayTables.class.getResourceAsStream(name)) {
      if (file == null) {
        throw new IllegalStateException(name + " is not on the class path");
      }
      String text = new String(file.readAllBytes(), StandardCharsets.UTF_8);
      String inSchema = prefix.substring(prefix.indexOf('.') + 1);
      String named =
          COMMENT
              .matcher(text)
              .replaceAll("")
              .replace("_" + DEFAULT_PREFIX, "_\0")
              .replace(DEFAULT_PREFIX, prefix)
              .replace("\0", inSchema);
      return Arrays.stream(named.split(";")).map(String::strip).filter(s -> !s.isEmpty()).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Creates the tables; fails if one exists. */
  public void create(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String sql : script(DatabaseKind.of(connection))) {
        boolean unused = statement.execute(sql);
      }
    }
  }
}
