package io.millrace.scripts.option;

import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which trackers to talk to, and by what right. */
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

  public TrackerAddresses trackers() {
    return trackers;
  }

  /** The token, or empty if none was given. */
  public Optional<String> token() {
    return tokenSource.token();
  }
}
