package io.millrace.torture.attack;

import io.millrace.common.config.Settings;
import io.millrace.jobtracker.JobTracker;
import io.millrace.jobtracker.config.JobTrackerConfig;
import io.millrace.torture.node.EndOfRun;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;

/**
 * The process of the tracker: its configuration, and a file for the token of its first operator.
 */
final class AttackedTrackerMain {
  private AttackedTrackerMain() {}

  public static void main(String[] words) throws Exception {
    JobTrackerConfig config = JobTrackerConfig.read(Settings.load(Path.of(words[0])));
    try (EndOfRun end = EndOfRun.watch();
        JobTracker tracker = JobTracker.create(config)) {
      tracker.start();
      Files.writeString(Path.of(words[1]), tracker.firstOperatorToken().orElse(""));
      CompletableFuture.anyOf(end.asked(), tracker.terminated()).join();
    }
    System.exit(0);
  }
}
