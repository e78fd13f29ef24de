package io.millrace.jobtracker.store.jdbc.connect;

import io.millrace.internal.config.Check;
import io.millrace.jobtracker.store.jdbc.h2.H2Dialect;
import io.millrace.jobtracker.store.jdbc.sql.Dialect;
import io.millrace.jobtracker.store.jdbc.sql.MySqlDialect;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The database in which the tracker keeps its state.
 *
 * @param url {@code jdbc:h2:…} for the embedded database, {@code jdbc:mysql:…} for MySQL and
 *     MariaDB
 * @param username the user of the database; empty if it has none
 * @param password the password of the user; never printed
 * @param poolSize the maximum of connections, 1 to 1000
 * @param connectionTimeout how long to wait for a connection, 250 ms to 10 min
 */
public record StoreConfig(
    String url, String username, String password, int poolSize, Duration connectionTimeout) {
  private static final int MAX_POOL_SIZE = 1000;
  public static final int DEFAULT_POOL_SIZE = 10;
  public static final Duration DEFAULT_CONNECTION_TIMEOUT = Duration.ofSeconds(5);

  private static final Duration MIN_TIMEOUT = Duration.ofMillis(250);
  private static final Duration MAX_TIMEOUT = Duration.ofMinutes(10);
  private static final String H2 = "jdbc:h2:";
  private static final String H2_MEMORY = "jdbc:h2:mem:";
  private static final String MYSQL = "jdbc:mysql:";

  /** A URL setting that contradicts {@link MySqlDialect#requiredDriverProperties}. */
  private static final Pattern CONTINUES_ABORTED =
      Pattern.compile(
          "\\bemulateUnsupportedPstmts\\s*=(?!\\s*(false|no)\\b)", Pattern.CASE_INSENSITIVE);

  /** The part between the slashes and the name of the database: {@code host:port,host:port}. */
  private static final Pattern HOSTS = Pattern.compile("^jdbc:mysql:[^/?]*//([^/?]*)");

  /**
   * Checks the values.
   *
   * @throws IllegalArgumentException naming the value that is not allowed
   */
  public StoreConfig {
    Check.that(
        url.startsWith(H2) || url.startsWith(MYSQL),
        "store url '"
            + withoutSettings(url)
            + "' must start with jdbc:h2: or with jdbc:mysql: (also for MariaDB)");
    Check.that(
        !CONTINUES_ABORTED.matcher(url).find(),
        "store url: emulateUnsupportedPstmts must be false; otherwise the driver continues"
            + " after a cluster has aborted a transaction, and acknowledged changes are lost");
    Check.that(
        poolSize >= 1 && poolSize <= MAX_POOL_SIZE,
        "store pool size " + poolSize + " must be between 1 and " + MAX_POOL_SIZE);
    Check.that(
        connectionTimeout.compareTo(MIN_TIMEOUT) >= 0
            && connectionTimeout.compareTo(MAX_TIMEOUT) <= 0,
        "store connection timeout " + connectionTimeout + " must be between 250 ms and 10 min");
  }

  /** Returns a configuration without credentials, with defaults for the rest. */
  public static StoreConfig of(String url) {
    return of(url, "", "");
  }

  /** Returns a configuration with defaults for the pool. */
  public static StoreConfig of(String url, String username, String password) {
    return new StoreConfig(url, username, password, DEFAULT_POOL_SIZE, DEFAULT_CONNECTION_TIMEOUT);
  }

  /** Returns a copy with this many more connections, up to the maximum. */
  public StoreConfig withMoreConnections(int more) {
    int size = Math.min(poolSize + more, MAX_POOL_SIZE);
    return new StoreConfig(url, username, password, size, connectionTimeout);
  }

  public Dialect dialect() {
    return url.startsWith(H2) ? new H2Dialect() : new MySqlDialect();
  }

  /**
   * Returns the URL to connect to. By default H2 acknowledges a commit half a second before it is
   * on disk; moves data in its file when the last connection closes, which has lost nearly all of
   * it; closes the file during the tracker's own shutdown; caches so few parsed statements that
   * parsing takes half of its time; and may answer a query that waited for a lock with its previous
   * result. This URL changes these defaults, except for settings that the configured URL contains.
   */
  public String effectiveUrl() {
    if (!url.startsWith(H2)) {
      return url;
    }
    String effective = url;
    if (!url.startsWith(H2_MEMORY)) {
      effective = withSetting(effective, "WRITE_DELAY", "0");
      effective = withSetting(effective, "MAX_COMPACT_TIME", "0");
      effective = withSetting(effective, "OPTIMIZE_REUSE_RESULTS", "FALSE");
    }
    effective = withSetting(effective, "DB_CLOSE_ON_EXIT", "FALSE");
    return withSetting(effective, "QUERY_CACHE_SIZE", "64");
  }

  private static String withSetting(String url, String name, String value) {
    return sets(url, name) ? url : url + ";" + name + "=" + value;
  }

  /** Whether the URL contains this name anywhere, also within another setting. */
  boolean mentions(String name) {
    return url.toLowerCase(Locale.ROOT).contains(name.toLowerCase(Locale.ROOT));
  }

  /** Whether the URL has a setting of this name, ignoring case. */
  boolean setsInUrl(String name) {
    return sets(url, name);
  }

  private static boolean sets(String url, String name) {
    String setting = name.toLowerCase(Locale.ROOT) + "=";
    return Stream.of(";", "?", "&")
        .anyMatch(before -> url.toLowerCase(Locale.ROOT).contains(before + setting));
  }

  /** Returns an upper bound on the number of hosts in the URL. */
  int hosts() {
    Matcher named = HOSTS.matcher(url);
    return named.find() ? named.group(1).split(",", -1).length : 1;
  }

  /** Returns the URL without its credentials and settings, which may contain a password. */
  public String printableUrl() {
    return withoutSettings(url);
  }

  private static String withoutSettings(String url) {
    return url.replaceFirst("[;?].*", "").replaceFirst("//[^/@]*@", "//");
  }

  @Override
  public String toString() {
    return "StoreConfig[url=%s, username=%s, poolSize=%d, connectionTimeout=%s]"
        .formatted(printableUrl(), username, poolSize, connectionTimeout);
  }
}
