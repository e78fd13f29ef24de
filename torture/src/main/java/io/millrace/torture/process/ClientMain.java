package io.millrace.torture.process;

import io.millrace.internal.lifecycle.NamedThreads;
import io.millrace.internal.time.SystemClock;
import io.millrace.jobclient.JobClient;
import io.millrace.torture.journal.Call;
import io.millrace.torture.journal.SubmitJournal;
import io.millrace.torture.load.LoadClient;
import io.millrace.torture.load.LoadPlan;
import io.millrace.torture.load.Workload;
import io.millrace.torture.node.Arguments;
import io.millrace.torture.node.EndOfRun;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client that executes its part of the workload, except for the steps completed by earlier
 * starts, and then runs until it is asked to end.
 */
final class ClientMain {
  static final String TRACKERS = "trackers";
  static final String ID = "id";
  static final String JOURNAL = "journal";

  /** The directory for requests saved while no tracker responds; the same for every start. */
  static final String OUTBOX = "outbox";

  /** The file that is created when all steps have a result and all saved requests are delivered. */
  static final String DONE = "done";

  /** The journals of earlier starts, separated by commas. */
  static final String FORMER = "former";

  static final String CLIENT = "client";
  static final String CLIENTS = "clients";
  static final String SEED = "seed";
  static final String SECONDS = "seconds";
  static final String PERCENT = "percent";

  /** The origin of the step times, in epoch milliseconds. */
  static final String BEGIN = "begin";

  private static final Duration LOOK_EVERY = Duration.ofMillis(500);

  private static final Logger LOG = LoggerFactory.getLogger(ClientMain.class);

  private ClientMain() {}

  public static void main(String[] words) {
    Arguments arguments = Arguments.of(words);
    SystemClock clock = new SystemClock();
    ExecutorService threads = Executors.newCachedThreadPool(NamedThreads.daemon("torture-load"));
    try (EndOfRun end = EndOfRun.watch();
        SubmitJournal journal = SubmitJournal.open(arguments.path(JOURNAL), clock);
        JobClient client =
            JobClient.builder()
                .trackers(arguments.list(TRACKERS))
                .nodeName(arguments.text(ID))
                .outbox(arguments.path(OUTBOX))
                .build()) {
      LoadClient load = new LoadClient(client, journal, clock, threads);
      client.onDelivered(load::delivered);
      threads.execute(() -> run(client, load, arguments));
      end.asked().join();
      threads.shutdownNow();
    }
  }

  private static void run(JobClient client, LoadClient load, Arguments arguments) {
    Instant begin = Instant.ofEpochMilli(arguments.number(BEGIN));
    LoadPlan plan =
        new LoadPlan(
            arguments.number(SEED), arguments.integer(SECONDS), arguments.integer(PERCENT));
    Workload workload = Workload.of(plan, begin);
    List<Path> former =
        Arrays.stream(arguments.list(FORMER)).filter(p -> !p.isEmpty()).map(Path::of).toList();
    Set<Integer> settled = Call.settled(Call.read(former));
    try {
      load.run(
          workload.stepsOf(arguments.integer(CLIENT), arguments.integer(CLIENTS)),
          begin.toEpochMilli(),
          settled);
      while (!client.awaitDelivered(LOOK_EVERY)) {
        Thread.sleep(LOOK_EVERY.toMillis());
      }
      Path unused = Files.writeString(arguments.path(DONE), "");
      LOG.info("all steps are done");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }
}
