package io.millrace.torture.attack;

import io.millrace.torture.attack.AttackedTracker.Held;
import io.millrace.torture.attack.HealthProbe.Probes;
import io.millrace.torture.attack.HonestPair.Measured;
import io.millrace.torture.network.FreePort;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Option;

/**
 * {@code scripts/attack}: performs the attacks one by one, then all at once, and reports how they
 * affect honest peers.
 */
@Command(
    name = "attack",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Attacks a tracker of its own on 127.0.0.1 while a normal worker and client measure"
          + " their jobs.",
      "Exit code 0 only if in each part 99 of 100 normal jobs ended within the time, none"
          + " failed, and /health/live was answered."
    })
public final class AttackRun implements Callable<Integer> {
  private static final int LAST_ATTACKERS_SECONDS = 30;

  @Option(
      names = "--seconds",
      defaultValue = "20",
      description = "Duration of each attack (${DEFAULT-VALUE}).")
  private int seconds;

  @Option(
      names = "--heap",
      paramLabel = "MIB",
      defaultValue = "512",
      description = "Heap of the tracker (${DEFAULT-VALUE}).")
  private int heap;

  @Option(
      names = "--p99",
      paramLabel = "MILLIS",
      defaultValue = "500",
      description = "Time for 99 of 100 normal jobs (${DEFAULT-VALUE}).")
  private int limitMillis;

  @Option(
      names = "--only",
      split = ",",
      paramLabel = "ATTACK",
      converter = ByTitle.class,
      description = "Attacks to run: ${COMPLETION-CANDIDATES}.")
  private List<Attack> only = new ArrayList<>();

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "A line of the tracker's configuration.")
  private List<String> settings = new ArrayList<>();

  @Option(
      names = "--port",
      defaultValue = "0",
      description = "The first of two ports for the tracker; default: two free ones.")
  private int port;

  @Option(
      names = "--keep",
      paramLabel = "DIR",
      description =
          "Directory for the tracker's files, which are kept; default: a temporary directory.")
  private Path directory = Path.of("");

  /** Parses the title of an attack. */
  private static final class ByTitle implements ITypeConverter<Attack> {
    @Override
    public Attack convert(String title) {
      return Attack.of(title);
    }
  }

  public static void main(String[] words) {
    System.exit(new CommandLine(new AttackRun()).execute(words));
  }

  @Override
  public Integer call() throws IOException, InterruptedException {
    Path files =
        directory.toString().isEmpty()
            ? Files.createTempDirectory("millrace-attack")
            : Files.createDirectories(directory);
    List<Attack> attacks = only.isEmpty() ? Arrays.asList(Attack.values()) : only;
    System.out.println("files: " + files);
    print(
        "part",
        "jobs",
        "errors",
        "p50 ms",
        "p99 ms",
        "max ms",
        "heap MiB",
        "rss MiB",
        "files",
        "log bytes",
        "health",
        "");
    boolean passed = true;
    try (AttackedTracker tracker = AttackedTracker.start(files, target(), heap, settings);
        HonestPair honest = new HonestPair(tracker.target());
        HealthProbe health = new HealthProbe(tracker.target())) {
      honest.start();
      health.start();
      TimeUnit.SECONDS.sleep(10);
      Measured warmUp = honest.take();
      Probes unused = health.take();
      System.out.printf(Locale.ROOT, "warm-up: %d jobs%n", warmUp.count());
      passed &= part("nothing", List.of(), tracker, honest, health, files);
      for (Attack attack : attacks) {
        passed &= part(attack.toString(), List.of(attack), tracker, honest, health, files);
      }
      if (attacks.size() > 1) {
        passed &= part("all at once", attacks, tracker, honest, health, files);
      }
      passed &= part("afterwards", List.of(), tracker, honest, health, files);
    }
    System.out.println(passed ? "PASS" : "FAIL");
    return passed ? 0 : 1;
  }

  private Target target() {
    return port == 0 ? new Target(FreePort.find(), FreePort.find()) : new Target(port, port + 1);
  }

  private boolean part(
      String title,
      List<Attack> attacks,
      AttackedTracker tracker,
      HonestPair honest,
      HealthProbe health,
      Path files)
      throws IOException, InterruptedException {
    long logBefore = tracker.held().logBytes();
    Process attackers = attacks.isEmpty() ? null : attackers(tracker.target(), attacks, files);
    TimeUnit.SECONDS.sleep(seconds);
    Held held = tracker.held();
    if (attackers != null && !attackers.waitFor(LAST_ATTACKERS_SECONDS, TimeUnit.SECONDS)) {
      attackers.destroyForcibly();
    }
    Measured measured = honest.take();
    Probes probes = health.take();
    boolean passed =
        tracker.isAlive()
            && measured.count() > 0
            && measured.errors().isEmpty()
            && measured.p99() < limitMillis
            && probes.asked() > 0
            && probes.answered() == probes.asked();
    print(
        title,
        measured.count(),
        measured.errors().size(),
        number(measured.p50()),
        number(measured.p99()),
        number(measured.max()),
        held.heap(),
        held.rss(),
        held.files(),
        held.logBytes() - logBefore,
        probes.answered() + "/" + probes.asked(),
        passed ? "PASS" : "FAIL");
    measured.errors().stream().limit(3).forEach(error -> System.out.println("    " + error));
    return passed;
  }

  /**
   * Starts the attackers with a lower priority than the tracker and the honest pair, in case the
   * machine has too few processors.
   */
  private Process attackers(Target target, List<Attack> attacks, Path files) throws IOException {
    List<String> command = new ArrayList<>();
    command.addAll(List.of("nice", "-n", "5"));
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.add(AttackerMain.class.getName());
    command.addAll(
        List.of(
            Integer.toString(target.rpcPort()),
            Integer.toString(target.httpPort()),
            Integer.toString(seconds)));
    attacks.forEach(attack -> command.add(attack.name()));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
    return builder
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(files.resolve("attackers.log").toFile()))
        .start();
  }

  private static String number(double millis) {
    return String.format(Locale.ROOT, "%.1f", millis);
  }

  private static void print(Object... cells) {
    System.out.printf(Locale.ROOT, "%-18s %6s %6s %8s %8s %9s %8s %7s %6s %10s %8s  %s%n", cells);
  }
}
