package io.millrace.scripts.libraries;

import io.millrace.api.Job;
import io.millrace.api.SubmitStatus;
import io.millrace.api.TlsTrust;
import io.millrace.jobclient.JobClient;
import io.millrace.jobclient.JobClientBuilder;
import io.millrace.tasktracker.Result;
import io.millrace.tasktracker.TaskTracker;
import io.millrace.tasktracker.TaskTrackerBuilder;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A program in a JVM of its own that uses Netty, H2 and fastjson2 in its own versions, and a client
 * and a worker beside them. It is compiled against other versions of the three, and so only asks
 * for them by name.
 */
final class ApplicationBesideThem {
  private static final int PATIENCE_SECONDS = 30;

  private ApplicationBesideThem() {}

  /**
   * Runs it.
   *
   * @param arguments a directory for the outbox, the address of a tracker, the address of one with
   *     TLS, and the file with its certificate
   */
  public static void main(String[] arguments) throws Exception {
    say("own netty", nettyVersion());
    say("own h2", h2Version());
    say("own fastjson2", fastjsonVersion());
    say("tcp", runOneJob(arguments[1], null));
    say("tls", runOneJob(arguments[2], new TlsTrust(Path.of(arguments[3]))));
    say("outbox", keepOneJob(Path.of(arguments[0])));
    say("own netty", startAndStopNetty());
    say("end", "reached");
  }

  private static void say(String what, String result) {
    System.out.println(what + ": " + result);
  }

  private static String runOneJob(String address, TlsTrust trust) throws Exception {
    CompletableFuture<String> finished = new CompletableFuture<>();
    TaskTrackerBuilder worker =
        TaskTracker.builder()
            .trackers(address)
            .nodeGroup("beside")
            .handler("greet", context -> Result.success("hello " + context.param("name")));
    JobClientBuilder client = JobClient.builder().trackers(address).clientGroup("beside");
    if (trust != null) {
      worker.tls(trust);
      client.tls(trust);
    }
    try (JobClient jobs = client.build();
        TaskTracker runs = worker.build()) {
      jobs.onResult(result -> finished.complete(String.valueOf(result.message())));
      runs.start();
      var stored =
          jobs.submit(
              Job.builder("beside", "one")
                  .handler("greet")
                  .param("name", "wörld")
                  .feedback(true)
                  .build());
      if (stored.status() != SubmitStatus.ACCEPTED) {
        throw new IllegalStateException(stored.toString());
      }
      return finished.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
    }
  }

  /** Has a job saved on disk, and reads the file with the storage engine of the application. */
  private static String keepOneJob(Path directory) throws Exception {
    // Nobody listens on the port of discarded bytes.
    try (JobClient jobs =
        JobClient.builder()
            .trackers("127.0.0.1:9")
            .outbox(directory)
            .outboxPatience(Duration.ZERO)
            .closeTimeout(Duration.ZERO)
            .build()) {
      SubmitStatus status = jobs.submit(Job.builder("beside", "kept").build()).status();
      if (status != SubmitStatus.SAVED_LOCALLY) {
        throw new IllegalStateException(status.toString());
      }
    }
    return entriesIn(directory);
  }

  private static String entriesIn(Path directory) throws Exception {
    try (Stream<Path> files = Files.walk(directory)) {
      Path file = files.filter(path -> path.toString().endsWith(".mv")).findFirst().orElseThrow();
      Object store =
          Class.forName("org.h2.mvstore.MVStore")
              .getMethod("open", String.class)
              .invoke(null, file.toString());
      try (AutoCloseable closed = (AutoCloseable) store) {
        Map<?, ?> entries =
            (Map<?, ?>)
                store.getClass().getMethod("openMap", String.class).invoke(store, "entries");
        return entries.size() + " in " + store.getClass().getPackageName();
      }
    }
  }

  private static String nettyVersion() throws Exception {
    Map<?, ?> artifacts =
        (Map<?, ?>) Class.forName("io.netty.util.Version").getMethod("identify").invoke(null);
    Object common = artifacts.get("netty-common");
    return String.valueOf(common.getClass().getMethod("artifactVersion").invoke(common));
  }

  /** The class is that of Netty 4.1, and deprecated in 4.2. */
  private static String startAndStopNetty() throws Exception {
    Class<?> type = Class.forName("io.netty.channel.nio.NioEventLoopGroup");
    Object threads = type.getConstructor(int.class).newInstance(1);
    ((java.util.concurrent.ExecutorService) threads).submit(() -> {}).get();
    Method end = type.getMethod("shutdownGracefully", long.class, long.class, TimeUnit.class);
    ((java.util.concurrent.Future<?>) end.invoke(threads, 0L, 1L, TimeUnit.SECONDS)).get();
    return "started and stopped";
  }

  private static String h2Version() throws Exception {
    try (Connection connection = DriverManager.getConnection("jdbc:h2:mem:own");
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT H2VERSION()")) {
      rows.next();
      return rows.getString(1);
    }
  }

  private static String fastjsonVersion() throws Exception {
    return String.valueOf(
        Class.forName("com.alibaba.fastjson2.JSON").getField("VERSION").get(null));
  }
}
