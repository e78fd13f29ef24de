package io.millrace.torture.attack;

import io.millrace.console.TrackerServer;
import io.millrace.console.TrackerServerConfig;
import io.millrace.internal.config.Settings;
import io.millrace.torture.node.EndOfRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;

/**
 * The process of the tracker. Arguments: its configuration, and a file for the first operator
 * token.
 */
final class AttackedTrackerMain {
  private AttackedTrackerMain() {}

  public static void main(String[] words) throws Exception {
    TrackerServerConfig config = TrackerServerConfig.read(Settings.load(Path.of(words[0])));
    try (EndOfRun end = EndOfRun.watch();
        TrackerServer server = TrackerServer.create(config)) {
      server.start();
      Files.writeString(Path.of(words[1]), server.firstOperatorToken().orElse(""));
      CompletableFuture.anyOf(end.asked(), server.tracker().terminated()).join();
    }
    System.exit(0);
  }
}
