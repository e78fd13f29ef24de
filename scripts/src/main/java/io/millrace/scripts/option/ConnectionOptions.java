package io.millrace.scripts.option;

import io.millrace.common.rpc.TlsTrust;
import io.millrace.scripts.BadInputException;
import io.millrace.scripts.option.token.TokenSource;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which trackers to talk to, by what right, and whether in the open. */
public final class ConnectionOptions {

  @Option(
      names = "--trackers",
      paramLabel = "HOST:PORT[,...]",
      defaultValue = "${env:MILLRACE_TRACKERS:-127.0.0.1:35001}",
      converter = TrackerAddresses.Converter.class,
      description =
          "Addresses of trackers, any of which may answer; from the environment variable"
              + " MILLRACE_TRACKERS if it is set. Default: ${DEFAULT-VALUE}.")
  private TrackerAddresses trackers = new TrackerAddresses(List.of());

  @Mixin private TokenSource tokenSource = new TokenSource();

  @Option(names = "--tls", description = "Encrypt, and believe the authorities that Java believes.")
  private boolean tls;

  @Option(
      names = "--tls-ca",
      paramLabel = "FILE",
      description = "Encrypt, and believe only the authorities in this PEM file.")
  private @Nullable Path authorities;

  public TrackerAddresses trackers() {
    return trackers;
  }

  /** The token, or empty if none was given. */
  public Optional<String> token() {
    return tokenSource.token();
  }

  /** The token of an operator, or empty if none was given. */
  Optional<String> operatorToken() {
    return tokenSource.operatorToken();
  }

  /** The file of {@code --tls-ca}, if it was given. */
  @Nullable Path authorities() {
    return authorities;
  }

  /**
   * Whom to believe, or empty if connections are not to be encrypted.
   *
   * @throws BadInputException if there is no such file
   */
  public Optional<TlsTrust> tls() {
    if (authorities != null && !Files.isReadable(authorities)) {
      throw new BadInputException("--tls-ca " + authorities + ": there is no such file to read");
    }
    return tls || authorities != null ? Optional.of(new TlsTrust(authorities)) : Optional.empty();
  }
}
