package io.millrace.scripts.option;

import io.millrace.api.TlsTrust;
import io.millrace.scripts.BadInputException;
import io.millrace.scripts.option.token.TokenSource;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options for the connection to trackers: addresses, token and encryption. */
public final class ConnectionOptions {

  @Option(
      names = "--trackers",
      paramLabel = "HOST:PORT[,...]",
      defaultValue = "${env:MILLRACE_TRACKERS:-127.0.0.1:35001}",
      description =
          "Addresses of trackers, any of which may answer; from the environment variable"
              + " MILLRACE_TRACKERS if it is set. Default: ${DEFAULT-VALUE}.")
  private TrackerAddresses trackers = new TrackerAddresses(List.of());

  @Mixin private TokenSource tokenSource = new TokenSource();

  @Option(names = "--tls", description = "Encrypt, and trust the certificate authorities of Java.")
  private boolean tls;

  @Option(
      names = "--tls-ca",
      paramLabel = "FILE",
      description = "Encrypt, and trust only the certificate authorities in this PEM file.")
  private @Nullable Path authorities;

  public TrackerAddresses trackers() {
    return trackers;
  }

  /** Returns the token, or empty if none was given. */
  public Optional<String> token() {
    return tokenSource.token();
  }

  /** Returns the token of an operator, or empty if none was given. */
  Optional<String> operatorToken() {
    return tokenSource.operatorToken();
  }

  /** Returns the file of {@code --tls-ca}, or null if it was not given. */
  @Nullable Path authorities() {
    return authorities;
  }

  /**
   * Returns the trusted certificates, or empty if connections are not encrypted.
   *
   * @throws BadInputException if the file does not exist or is not readable
   */
  public Optional<TlsTrust> tls() {
    BadInputException.unless(
        authorities == null || Files.isReadable(authorities),
        "--tls-ca " + authorities + ": the file does not exist or is not readable");
    return tls || authorities != null ? Optional.of(new TlsTrust(authorities)) : Optional.empty();
  }
}
