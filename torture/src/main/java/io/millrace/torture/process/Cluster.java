package io.millrace.torture.process;

import io.millrace.internal.time.Clock;
import io.millrace.torture.database.DatabaseKind;
import io.millrace.torture.database.EmbeddedFile;
import io.millrace.torture.database.ServerNode;
import io.millrace.torture.database.Servers;
import io.millrace.torture.load.Workload;
import io.millrace.torture.node.Arguments;
import io.millrace.torture.node.ChildJvm;
import io.millrace.torture.node.JvmNode;
import io.millrace.torture.node.Node;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * All processes of a run and the wires between them. Processes know each other only by the
 * addresses of the wires. Thread-safe once started.
 */
public final class Cluster implements AutoCloseable {
  private static final int WORKER_HEAP = 128;
  private static final int CLIENT_HEAP = 96;
  private static final Duration HEAD_START = Duration.ofSeconds(3);
  private static final long PROBE_MILLIS = 100;

  private final ClusterSettings settings;
  private final Clock clock;
  private final @Nullable Servers servers;
  private final @Nullable EmbeddedFile embedded;
  private final TrackerLauncher launcher;
  private final List<TrackerNode> trackers = new ArrayList<>();
  private final List<Node> workers = new ArrayList<>();
  private final List<Node> clients = new ArrayList<>();
  private final List<Path> runJournals = new CopyOnWriteArrayList<>();
  private final List<Path> submitJournals = new CopyOnWriteArrayList<>();
  private volatile Instant begin = Instant.EPOCH;

  private Cluster(ClusterSettings settings, Clock clock) {
    this.settings = settings;
    this.clock = clock;
    boolean isEmbedded = settings.database() == DatabaseKind.H2;
    this.embedded = isEmbedded ? new EmbeddedFile(settings.directory()) : null;
    this.servers =
        isEmbedded
            ? null
            : Servers.of(
                settings.database(),
                settings.directory().resolve("database"),
                settings.load().seed(),
                System.getenv());
    this.launcher = new TrackerLauncher(settings, servers, embedded);
  }

  /**
   * Starts everything and returns when the trackers listen and the load is about to begin.
   *
   * @param firstStart what happens to the trackers while they create their tables
   * @param reporter receives a message for each action
   * @throws ServerProgramMissingException if the program that starts the database is missing
   */
  public static Cluster start(
      ClusterSettings settings, FirstStart firstStart, Clock clock, Consumer<String> reporter) {
    Cluster cluster = new Cluster(settings, clock);
    try {
      cluster.start(firstStart, reporter);
      return cluster;
    } catch (RuntimeException | Error e) {
      cluster.close();
      throw e;
    }
  }

  private void start(FirstStart firstStart, Consumer<String> reporter) {
    Optional<Servers> own = Optional.ofNullable(servers);
    own.ifPresent(Servers::start);
    own.ifPresent(begun -> reporter.accept("the database: " + begun.reach()));
    firstStart.makeOlderTables(databaseUrls(), databaseUser(), reporter);
    for (int number = 1; number <= settings.trackers(); number++) {
      trackers.add(launcher.tracker(number));
    }
    firstStart.start(trackers, reporter);
    Instant before = clock.now();
    trackers.forEach(TrackerLauncher::awaitListening);
    for (int number = 1; number <= settings.workers(); number++) {
      workers.add(worker(number));
    }
    Duration took = Duration.between(before, clock.now());
    workers.forEach(Node::start);
    // The time that trackers take to start on this machine is more than enough for a client.
    begin = clock.now().plus(took.compareTo(HEAD_START) > 0 ? took : HEAD_START);
    for (int number = 1; number <= settings.clients(); number++) {
      clients.add(client(number));
    }
    clients.forEach(Node::start);
  }

  private Node worker(int number) {
    String name = "worker-" + number;
    return new JvmNode(
        name,
        start -> {
          Path journal = settings.directory().resolve(name + "." + start + ".runs");
          runJournals.add(journal);
          return ChildJvm.start(
              WorkerMain.class,
              settings.directory().resolve(name + ".log"),
              WORKER_HEAP,
              Arguments.none()
                  .with(WorkerMain.TRACKERS, doors())
                  .with(WorkerMain.GROUPS, String.join(",", workload().nodeGroups()))
                  .with(WorkerMain.ID, name)
                  .with(WorkerMain.OUTBOX, settings.directory().resolve(name + ".outbox"))
                  .with(WorkerMain.JOURNAL, journal));
        });
  }

  private Node client(int number) {
    String name = "client-" + number;
    return new JvmNode(
        name,
        start -> {
          String former = formerJournals(name, start);
          Path journal = submitJournal(name, start);
          submitJournals.add(journal);
          return ChildJvm.start(
              ClientMain.class,
              settings.directory().resolve(name + ".log"),
              CLIENT_HEAP,
              Arguments.none()
                  .with(ClientMain.TRACKERS, doors())
                  .with(ClientMain.ID, name + "." + start)
                  .with(ClientMain.JOURNAL, journal)
                  .with(ClientMain.OUTBOX, settings.directory().resolve(name + ".outbox"))
                  .with(ClientMain.DONE, done(number))
                  .with(ClientMain.FORMER, former)
                  .with(ClientMain.CLIENT, number)
                  .with(ClientMain.CLIENTS, settings.clients())
                  .with(ClientMain.SEED, settings.load().seed())
                  .with(ClientMain.SECONDS, settings.load().seconds())
                  .with(ClientMain.PERCENT, settings.load().percent())
                  .with(ClientMain.BEGIN, begin.toEpochMilli()));
        });
  }

  private Path submitJournal(String name, int start) {
    return settings.directory().resolve(name + "." + start + ".submits");
  }

  private String formerJournals(String name, int start) {
    return IntStream.range(1, start)
        .mapToObj(former -> submitJournal(name, former).toString())
        .collect(Collectors.joining(","));
  }

  private String doors() {
    return trackers.stream()
        .map(tracker -> tracker.door().address().toString())
        .collect(Collectors.joining(","));
  }

  /** Returns what the clients submit. */
  public Workload workload() {
    return Workload.of(settings.load(), begin);
  }

  /** Returns the begin of the load. */
  public Instant begin() {
    return begin;
  }

  /** Returns the trackers, ordered by number from 1. */
  public List<TrackerNode> trackers() {
    return List.copyOf(trackers);
  }

  /** Returns the worker processes, ordered by number from 1. */
  public List<Node> workers() {
    return List.copyOf(workers);
  }

  /** Returns the client processes, ordered by number from 1. */
  public List<Node> clients() {
    return List.copyOf(clients);
  }

  /** Returns the database servers, ordered by number from 1; empty if the database is embedded. */
  public List<Node> databases() {
    return servers == null ? List.of() : List.copyOf(servers.nodes());
  }

  /**
   * Returns the direct URLs of the database nodes, without wires; the contents of all must be
   * equal.
   */
  public List<String> databaseUrls() {
    Servers nodes = servers;
    return nodes == null
        ? List.of(Objects.requireNonNull(embedded).url())
        : nodes.nodes().stream().map(nodes::directUrl).toList();
  }

  /** Returns the database user; the user has no password. */
  public String databaseUser() {
    return servers == null ? "" : ServerNode.USER;
  }

  /** Returns the file of an embedded database. */
  public Optional<EmbeddedFile> embedded() {
    return Optional.ofNullable(embedded);
  }

  /** Returns one journal for each start of a worker: {@code worker-<number>.<start>.runs}. */
  public List<Path> runJournals() {
    return List.copyOf(runJournals);
  }

  /** Returns one journal for each start of a client: {@code client-<number>.<start>.submits}. */
  public List<Path> submitJournals() {
    return List.copyOf(submitJournals);
  }

  /** Returns one journal for each start of a tracker: {@code tracker-<number>.<start>.replays}. */
  public List<Path> replayJournals() {
    return launcher.replayJournals();
  }

  /** Lets the trackers request no more replays. */
  public void endReplays() {
    try {
      Path unused = Files.writeString(launcher.noMoreReplays(), "");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns every process of the run. */
  public List<Node> processes() {
    List<Node> nodes = new ArrayList<>(clients);
    nodes.addAll(workers);
    trackers.forEach(tracker -> nodes.add(tracker.process()));
    nodes.addAll(databases());
    return nodes;
  }

  /**
   * Waits until the clients have a result for every request.
   *
   * @return whether the clients finished in time
   */
  public boolean awaitClients(Duration atMost) throws InterruptedException {
    for (long left = atMost.toMillis(); left > 0; left -= PROBE_MILLIS) {
      if (IntStream.rangeClosed(1, settings.clients()).allMatch(n -> Files.exists(done(n)))) {
        return true;
      }
      Thread.sleep(PROBE_MILLIS);
    }
    return false;
  }

  /** Returns the file that exists once the client has completed all its steps. */
  private Path done(int client) {
    return settings.directory().resolve("client-" + client + ".done");
  }

  /** Kills all processes. */
  @Override
  public void close() {
    clients.forEach(Node::kill);
    workers.forEach(Node::kill);
    trackers.forEach(TrackerNode::close);
    databases().forEach(Node::kill);
  }
}
