package io.millrace.spring.internal.embedded;

import io.micrometer.core.instrument.MeterRegistry;
import io.millrace.console.TrackerServer;
import io.millrace.console.TrackerServerConfig;
import io.millrace.internal.config.Settings;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Starts a tracker with a console, in applications that have one on their class path. */
final class ConsoleLauncher {
  private static final Logger LOG = LoggerFactory.getLogger(ConsoleLauncher.class);

  private ConsoleLauncher() {}

  /** A tracker and its console. */
  private record WithConsole(TrackerServer server) implements RunningTracker {
    @Override
    public String address() {
      return server.address();
    }

    @Override
    public void close() {
      server.close();
    }
  }

  static RunningTracker start(Settings settings, @Nullable MeterRegistry meters) {
    TrackerServer server = TrackerServer.create(TrackerServerConfig.read(settings), meters);
    server.start();
    server
        .firstOperatorToken()
        .ifPresent(token -> LOG.info("the first token of the console, shown only now: {}", token));
    return new WithConsole(server);
  }
}
