package io.millrace.spring.internal.embedded;

import io.millrace.spring.internal.config.MillraceProperties;
import io.millrace.spring.internal.config.MillraceStartException;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.Environment;

/**
 * Where the tracker keeps its state.
 *
 * @param url URL of a database on H2, MySQL or MariaDB, as a tracker takes it
 * @param username empty for none
 * @param password empty for none
 */
record StoreLocation(String url, String username, String password) {
  private static final String OWN = "millrace.tracker.store.url";
  private static final String APPLICATIONS = "spring.datasource.url";
  private static final String MYSQL = "jdbc:mysql:";
  private static final String MARIADB = "jdbc:mariadb:";
  private static final Pattern KIND = Pattern.compile("jdbc:(?:tc:)?([a-zA-Z0-9]+):.*");

  private static final String SET_OWN =
      "Set millrace.tracker.store.url (username, password) to a database on MySQL or MariaDB, or to"
          + " an H2 file such as jdbc:h2:file:./data/millrace.";

  private static final Map<String, String> OTHERS =
      Map.of(
          "postgresql", "PostgreSQL",
          "oracle", "Oracle",
          "sqlserver", "SQL Server",
          "db2", "Db2",
          "sqlite", "SQLite",
          "hsqldb", "HSQLDB",
          "derby", "Derby");

  /**
   * Returns the location that the properties give, or else one beside the application's tables.
   *
   * @throws MillraceStartException if there is none, or if it is none for a tracker
   */
  static StoreLocation of(MillraceProperties.Store given, Environment environment) {
    String application = environment.getProperty(APPLICATIONS);
    if (given.url() != null && !given.url().isBlank()) {
      String url = own(given.url().strip(), application);
      return new StoreLocation(url, text(given.username()), text(given.password()));
    }
    if (application == null || application.isBlank()) {
      throw new MillraceStartException(
          "The tracker has no database: neither millrace.tracker.store.url nor"
              + " spring.datasource.url is set.",
          SET_OWN);
    }
    String user = given.username();
    String password = given.password();
    return new StoreLocation(
        besideApplication(application),
        text(user != null ? user : environment.getProperty("spring.datasource.username")),
        text(password != null ? password : environment.getProperty("spring.datasource.password")));
  }

  private static String text(@Nullable String value) {
    return value == null ? "" : value;
  }

  private static String own(String url, @Nullable String application) {
    H2Url h2 = H2Url.of(url);
    if (h2 == null) {
      return server(OWN, url);
    }
    if (h2.sets("AUTO_SERVER")) {
      throw new MillraceStartException(
          OWN + " sets AUTO_SERVER, with which several processes write to one H2 file.",
          "Remove it: an H2 file serves one instance of the application. Several instances need a"
              + " database on MySQL or MariaDB.");
    }
    H2Url shared = application == null ? null : H2Url.of(application);
    Path file = h2.file();
    if (file != null && shared != null && file.equals(shared.file())) {
      throw new MillraceStartException(
          OWN
              + " and spring.datasource.url name the same H2 file. The tracker has to be the only"
              + " one that writes to its file, or a kill may lose jobs.",
          "Name another file, or remove "
              + OWN
              + ": the tracker then uses a file beside that of the application.");
    }
    return h2.kept();
  }

  private static String besideApplication(String url) {
    H2Url h2 = H2Url.of(url);
    if (h2 == null) {
      return server(APPLICATIONS, url);
    }
    if ((!h2.isMemory() && !h2.isFile()) || h2.sets("CIPHER") || h2.sets("AUTO_SERVER")) {
      throw new MillraceStartException(
          "The tracker needs an H2 file of its own, and none can be derived from"
              + " spring.datasource.url, which names a server, an encrypted file, or one with"
              + " AUTO_SERVER.",
          SET_OWN);
    }
    return h2.beside();
  }

  /** Returns the URL of a database on a server, in the words of its driver. */
  private static String server(String property, String url) {
    if (url.startsWith(MYSQL)) {
      return url;
    }
    if (url.startsWith(MARIADB + "//") && url.indexOf('?') < 0) {
      return MYSQL + url.substring(MARIADB.length());
    }
    if (url.startsWith(MARIADB)) {
      throw new MillraceStartException(
          property
              + " has settings for the driver of MariaDB. The tracker uses the driver of MySQL, for"
              + " which they may mean something else.",
          "Set millrace.tracker.store.url to jdbc:mysql://host:port/database with the settings of"
              + " that driver, and username and password beside it.");
    }
    throw new MillraceStartException(
        "%s names a database on %s. A tracker keeps its jobs in MySQL, MariaDB or H2 only."
            .formatted(property, nameOf(url)),
        SET_OWN + " A tracker of its own elsewhere is another way: millrace.trackers.");
  }

  private static String nameOf(String url) {
    Matcher kind = KIND.matcher(url);
    return kind.matches() ? OTHERS.getOrDefault(kind.group(1), kind.group(1)) : "an unknown system";
  }

  /** Returns the path of the H2 files, without a suffix; null if there are none here. */
  @Nullable Path file() {
    H2Url h2 = H2Url.of(url);
    return h2 == null ? null : h2.file();
  }

  boolean isH2() {
    return H2Url.of(url) != null;
  }
}
