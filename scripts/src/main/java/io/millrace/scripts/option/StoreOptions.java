package io.millrace.scripts.option;

import io.millrace.jobtracker.store.jdbc.connect.StoreConfig;
import io.millrace.scripts.BadInputException;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** Options for the database that a command uses instead of a file of its own. */
public final class StoreOptions {
  /** The environment variable for the password. */
  public static final String PASSWORD_VARIABLE = "MILLRACE_STORE_PASSWORD";

  private static final String URL = "--store-url";
  private static final String USERNAME = "--store-username";
  private static final String PASSWORD = "--store-password";

  @Option(
      names = URL,
      paramLabel = "URL",
      description =
          "Store the data in this database, in the form of store.url of a tracker's"
              + " configuration: jdbc:mysql://HOST:3306/NAME for MySQL and MariaDB. The tables are"
              + " created in it, and are not deleted.")
  private @Nullable String url;

  @Option(names = USERNAME, paramLabel = "NAME", description = "User of the database.")
  private @Nullable String username;

  @Option(
      names = PASSWORD,
      paramLabel = "PASSWORD",
      description =
          "Password of the database. Other users of this machine can read it in the list of"
              + " processes; the environment variable "
              + PASSWORD_VARIABLE
              + ", used if this option is missing, is not in that list.")
  private @Nullable String password;

  private final Map<String, String> environment;

  /** Creates options that read the variable from the environment of the process. */
  public StoreOptions() {
    this(System.getenv());
  }

  StoreOptions(Map<String, String> environment) {
    this.environment = environment;
  }

  /**
   * Returns the given database, or empty if none was given.
   *
   * @param others options that exclude a database
   * @throws BadInputException if the URL is not that of a supported database, if one of the others
   *     was given, or if there is a user or a password but no URL
   */
  public Optional<StoreConfig> config(CommandSpec command, String... others) {
    if (url == null) {
      requireUrl(USERNAME, username);
      requireUrl(PASSWORD, password);
      return Optional.empty();
    }
    Exclusions.require(command, URL, others);
    try {
      return Optional.of(
          StoreConfig.of(
              url, username == null ? "" : username, password == null ? variable() : password));
    } catch (IllegalArgumentException e) {
      throw new BadInputException(URL + ": " + e.getMessage(), e);
    }
  }

  private String variable() {
    return environment.getOrDefault(PASSWORD_VARIABLE, "");
  }

  private static void requireUrl(String option, @Nullable String value) {
    BadInputException.unless(value == null, option + " needs " + URL);
  }
}
