package io.millrace.jobtracker.store.jdbc.schema;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The rights of a MySQL or MariaDB user in a database, as far as Millrace needs them. */
final class Rights {

  /** A right by its name in a GRANT. */
  enum Right {
    SELECT,
    INSERT,
    UPDATE,
    DELETE,
    CREATE,
    ALTER,
    INDEX
  }

  /** The rights that every tracker always needs. */
  static final Set<Right> OF_ROWS =
      EnumSet.of(Right.SELECT, Right.INSERT, Right.UPDATE, Right.DELETE);

  /** {@code GRANT rights ON `database`.* TO …}, with the quotes of either SQL mode. */
  private static final Pattern GRANT =
      Pattern.compile(
          "GRANT (.+?) ON (?:TABLE )?([`\"]?)(.+?)\\2\\.([`\"]?)(.+?)\\4 TO .*", Pattern.DOTALL);

  private static final Pattern COLUMNS = Pattern.compile("\\([^)]*\\)");

  private Rights() {}

  /** Returns the rights that a statement of a migration needs. */
  static Set<Right> neededBy(String statement) {
    String start = statement.strip().toUpperCase(Locale.ROOT);
    Set<Right> needed = EnumSet.noneOf(Right.class);
    if (start.startsWith("CREATE TABLE")) {
      needed.add(Right.CREATE);
    } else if (start.startsWith("ALTER TABLE")) {
      needed.add(Right.ALTER);
    } else if (start.startsWith("CREATE INDEX") || start.startsWith("CREATE UNIQUE INDEX")) {
      needed.add(Right.INDEX);
    }
    return needed;
  }

  /**
   * Returns the rights that the user does not have on all tables of the database.
   *
   * @param grants the result of SHOW GRANTS, including active roles
   * @return empty if unknown: some rights are granted or revoked in a way that this method does not
   *     understand, for example table by table
   */
  static Optional<Set<Right>> missing(
      Collection<Right> needed, List<String> grants, String database) {
    Set<Right> missing = EnumSet.noneOf(Right.class);
    missing.addAll(needed);
    boolean understood = true;
    for (String grant : grants) {
      Matcher parts = GRANT.matcher(grant);
      if (grant.startsWith("REVOKE")) {
        understood = false;
      } else if (parts.matches() && isOf(parts.group(3), database)) {
        if (parts.group(5).equals("*")) {
          missing.removeAll(granted(parts.group(1)));
        } else {
          understood = false;
        }
      }
    }
    return understood || missing.isEmpty() ? Optional.of(missing) : Optional.empty();
  }

  private static Set<Right> granted(String rights) {
    if (rights.startsWith("ALL PRIVILEGES") || rights.equals("ALL")) {
      return EnumSet.allOf(Right.class);
    }
    List<String> named =
        Arrays.stream(COLUMNS.matcher(rights).replaceAll("(columns)").split(","))
            .map(String::strip)
            .toList();
    return EnumSet.allOf(Right.class).stream()
        .filter(right -> named.contains(right.name()))
        .collect(Collectors.toSet());
  }

  /**
   * Whether the database of a grant matches: _ and % stand for any character and any text, unless a
   * backslash precedes them.
   */
  private static boolean isOf(String pattern, String database) {
    if (pattern.equals("*")) {
      return true;
    }
    StringBuilder regex = new StringBuilder();
    for (int i = 0; i < pattern.length(); i++) {
      char at = pattern.charAt(i);
      if (at == '\\' && i + 1 < pattern.length()) {
        regex.append(Pattern.quote(String.valueOf(pattern.charAt(++i))));
      } else {
        regex.append(at == '_' ? "." : at == '%' ? ".*" : Pattern.quote(String.valueOf(at)));
      }
    }
    return database.matches(regex.toString());
  }

  /**
   * Returns the statement that grants rights.
   *
   * @param user as returned by CURRENT_USER(): {@code name@host}
   */
  static String grant(Collection<Right> rights, String database, String user) {
    int at = user.lastIndexOf('@');
    List<String> names = new ArrayList<>();
    EnumSet.copyOf(rights).forEach(right -> names.add(right.name()));
    return "GRANT %s ON `%s`.* TO %s@%s;"
        .formatted(
            String.join(", ", names),
            database.replace("`", "``"),
            quoted(user.substring(0, at)),
            quoted(user.substring(at + 1)));
  }

  private static String quoted(String name) {
    return "'" + name.replace("\\", "\\\\").replace("'", "''") + "'";
  }
}
