package io.millrace.torture.attack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** A tracker with 512 MB in a separate process, with an H2 file, a console and both tokens. */
final class AttackedTracker implements AutoCloseable {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(120);

  private final Process process;
  private final Target target;
  private final Path log;
  private final Path token;

  private AttackedTracker(Process process, Target target, Path log, Path token) {
    this.process = process;
    this.target = target;
    this.log = log;
    this.token = token;
  }

  /**
   * Starts the tracker and waits until it accepts requests.
   *
   * @param target the ports on which it listens
   * @param extra additional lines of its configuration
   */
  static AttackedTracker start(Path directory, Target target, int heapMebibytes, List<String> extra)
      throws IOException {
    Path config = directory.resolve("tracker.properties");
    Path log = directory.resolve("tracker.log");
    Path token = directory.resolve("token");
    Files.write(
        config,
        Stream.concat(
                Stream.of(
                    "rpc.port = " + target.rpcPort(),
                    "console.port = " + target.httpPort(),
                    "rpc.client-token = " + Target.CLIENT_TOKEN,
                    "rpc.worker-token = " + Target.WORKER_TOKEN,
                    "store.url = jdbc:h2:file:" + directory.resolve("data/millrace")),
                extra.stream())
            .toList());
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-Xmx" + heapMebibytes + "m",
            "-XX:+ExitOnOutOfMemoryError",
            AttackedTrackerMain.class.getName(),
            config.toString(),
            token.toString());
    builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
    Process process = builder.redirectErrorStream(true).redirectOutput(log.toFile()).start();
    AttackedTracker tracker = new AttackedTracker(process, target, log, token);
    tracker.awaitToken();
    return tracker;
  }

  private void awaitToken() {
    long begin = System.nanoTime();
    while (!Files.exists(token)) {
      if (!process.isAlive() || System.nanoTime() - begin > PATIENCE_NANOS) {
        process.destroyForcibly();
        throw new IllegalStateException("the tracker did not start, see " + log);
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
    }
  }

  Target target() {
    return target;
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Returns the resources that its process holds; -1 for unknown values. */
  Held held() {
    return new Held(heapMebibytes(), rssMebibytes(), openFiles(), logBytes());
  }

  /** The MiB of heap and of memory, the open files, and the bytes of the log. */
  record Held(long heap, long rss, long files, long logBytes) {}

  private long heapMebibytes() {
    try {
      return (long)
              HealthProbe.get(target, "/metrics", Files.readString(token).strip())
                  .lines()
                  .filter(line -> line.startsWith("jvm_memory_used_bytes{area=\"heap\""))
                  .mapToDouble(
                      line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                  .sum()
          >> 20;
    } catch (IOException | NumberFormatException e) {
      return -1;
    }
  }

  private long rssMebibytes() {
    try (Stream<String> lines = Files.lines(proc("status"))) {
      return lines
          .filter(line -> line.startsWith("VmRSS:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) >> 10)
          .findFirst()
          .orElse(-1);
    } catch (IOException e) {
      return -1;
    }
  }

  private long openFiles() {
    try (Stream<Path> files = Files.list(proc("fd"))) {
      return files.count();
    } catch (IOException e) {
      return -1;
    }
  }

  private long logBytes() {
    try {
      return Files.size(log);
    } catch (IOException e) {
      return -1;
    }
  }

  private Path proc(String what) {
    return Path.of("/proc", Long.toString(process.pid()), what);
  }

  @Override
  public void close() {
    process.destroy();
    try {
      if (!process.waitFor(60, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
