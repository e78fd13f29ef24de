package io.millrace.benchmarks.database;

/** The URL of a database for Millrace's driver. */
public final class MillraceUrl {
  private MillraceUrl() {}

  /**
   * Returns the URL for Millrace's driver, which serves both MySQL and MariaDB and differs from
   * that of the peers: it encrypts by default.
   */
  public static String of(String url) {
    return url.startsWith("jdbc:h2:")
        ? url
        : url.replaceFirst("^jdbc:mariadb:", "jdbc:mysql:")
            .replaceFirst("([?].*)?$", "?sslMode=DISABLED");
  }
}
