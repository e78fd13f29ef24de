package io.millrace.console;

import io.millrace.console.access.oidc.OidcConfigReader;
import io.millrace.console.http.HttpLimits;
import io.millrace.internal.config.Bounds;
import io.millrace.internal.config.Settings;
import io.millrace.internal.config.ValueTypes;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The keys under {@code console} of a tracker's configuration file. */
record ConsoleConfigReader(Settings settings) {

  /** Reads the keys; null if the console is disabled. */
  @Nullable ConsoleConfig read() {
    ConsoleConfig console = settings.section("console", this::console, ConsoleConfig.onLoopback(0));
    return settings.bool("console.enabled", true) ? console : null;
  }

  private ConsoleConfig console() {
    return new ConsoleConfig(
        settings.string("console.host", "127.0.0.1"),
        settings.integer("console.port", ConsoleConfig.DEFAULT_PORT, Bounds.between(0, 65_535)),
        consoleTls(),
        settings.duration("console.session", ConsoleConfig.DEFAULT_SESSION),
        settings
            .optional(
                "console.max-token-life",
                ValueTypes.bounded(ValueTypes.DURATION, ConsoleConfig.MAX_TOKEN_LIFE))
            .orElse(null),
        settings.optional("console.hosts", ValueTypes.listOf(ValueTypes.STRING)).orElse(List.of()),
        new OidcConfigReader(settings).read(),
        HttpLimits.DEFAULT.withConnections(
            settings.integer(
                "console.max-connections",
                HttpLimits.DEFAULT_CONNECTIONS,
                Bounds.between(10, 100_000)),
            settings.integer(
                "console.max-connections-per-address",
                HttpLimits.DEFAULT_CONNECTIONS_PER_ADDRESS,
                Bounds.between(1, 100_000))));
  }

  private ConsoleConfig.@Nullable Tls consoleTls() {
    Optional<Path> certificate = settings.optional("console.tls.certificate", ValueTypes.PATH);
    Optional<Path> key = settings.optional("console.tls.key", ValueTypes.PATH);
    if (certificate.isPresent() != key.isPresent()) {
      settings.reject(
          certificate.isPresent() ? "console.tls.certificate" : "console.tls.key",
          "needs console.tls.certificate and console.tls.key together");
    }
    return certificate.isPresent() && key.isPresent()
        ? new ConsoleConfig.Tls(certificate.get(), key.get())
        : null;
  }
}
