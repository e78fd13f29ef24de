package io.millrace.jobtracker.store;

/**
 * A database server that was running before the tests and is named by system properties: a URL
 * without a database, the user and the password. The user may make and drop databases.
 */
final class NamedServer {
  private static final String URL = System.getProperty("millrace.test.server", "");

  private NamedServer() {}

  static boolean isNamed() {
    return !URL.isEmpty();
  }

  static String username() {
    return System.getProperty("millrace.test.server.username", "root");
  }

  static String password() {
    return System.getProperty("millrace.test.server.password", "");
  }

  /** The URL of one of its databases, in a session whose time zone is no other's. */
  static String url(String database) {
    int options = URL.indexOf('?');
    String server = options < 0 ? URL : URL.substring(0, options);
    String given = options < 0 ? "" : "&" + URL.substring(options + 1);
    return server
        + (server.endsWith("/") ? "" : "/")
        + database
        + "?allowPublicKeyRetrieval=true"
        + "&sessionVariables=time_zone%3D%27-05:30%27"
        + given;
  }
}
