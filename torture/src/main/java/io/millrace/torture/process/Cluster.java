package io.millrace.torture.process;

import io.millrace.common.rpc.HostPort;
import io.millrace.common.time.Clock;
import io.millrace.torture.load.Workload;
import io.millrace.torture.network.FreePort;
import io.millrace.torture.network.TcpProxy;
import io.millrace.torture.process.ClusterSettings.DatabaseKind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * All processes of a run and the wires between them. Everything that is reached over a wire is told
 * to others by that wire's address only. Thread-safe once it is started.
 */
public final class Cluster implements AutoCloseable {
  private static final int TRACKER_HEAP = 192;
  private static final int WORKER_HEAP = 128;
  private static final int CLIENT_HEAP = 96;
  private static final Duration HEAD_START = Duration.ofSeconds(3);
  private static final int READY_SECONDS = 180;
  private static final long PROBE_MILLIS = 100;

  private final ClusterSettings settings;
  private final Clock clock;
  private final @Nullable MariaDb server;
  private final int embeddedPort;
  private final List<Integer> trackerPorts = new ArrayList<>();
  private final List<TrackerNode> trackers = new ArrayList<>();
  private final List<Node> workers = new ArrayList<>();
  private final List<Node> clients = new ArrayList<>();
  private final List<Path> runJournals = new CopyOnWriteArrayList<>();
  private final List<Path> submitJournals = new CopyOnWriteArrayList<>();
  private volatile Instant begin = Instant.EPOCH;

  private Cluster(ClusterSettings settings, Clock clock, @Nullable MariaDb server) {
    this.settings = settings;
    this.clock = clock;
    this.server = server;
    this.embeddedPort = server == null ? FreePort.find() : 0;
  }

  /** Starts everything, and returns when the trackers listen and the load is about to begin. */
  public static Cluster start(ClusterSettings settings, Clock clock) {
    MariaDb server =
        settings.database() == DatabaseKind.MARIADB
            ? MariaDb.install(settings.directory().resolve("database"))
            : null;
    Cluster cluster = new Cluster(settings, clock, server);
    try {
      cluster.start();
      return cluster;
    } catch (RuntimeException | Error e) {
      cluster.close();
      throw e;
    }
  }

  private void start() {
    if (server != null) {
      server.start();
    }
    for (int number = 1; number <= settings.trackers(); number++) {
      trackers.add(tracker(number));
    }
    Instant before = clock.now();
    trackers.forEach(tracker -> tracker.process().start());
    trackerPorts.forEach(Cluster::awaitListening);
    for (int number = 1; number <= settings.workers(); number++) {
      workers.add(worker(number));
    }
    Duration took = Duration.between(before, clock.now());
    workers.forEach(Node::start);
    // What trackers take to start on this machine is more than enough for a client.
    begin = clock.now().plus(took.compareTo(HEAD_START) > 0 ? took : HEAD_START);
    for (int number = 1; number <= settings.clients(); number++) {
      clients.add(client(number));
    }
    clients.forEach(Node::start);
  }

  private TrackerNode tracker(int number) {
    String name = "tracker-" + number;
    int port = FreePort.find();
    trackerPorts.add(port);
    TcpProxy door = TcpProxy.start(FreePort.find(), new HostPort("127.0.0.1", port));
    TcpProxy database =
        server == null
            ? null
            : TcpProxy.start(FreePort.find(), new HostPort("127.0.0.1", server.port()));
    Path config = settings.directory().resolve(name + ".properties");
    write(config, trackerConfig(port, door, database));
    Arguments arguments =
        Arguments.none()
            .with(TrackerMain.CONFIG, config)
            .with(TrackerMain.PLANT, settings.plant() == null ? "" : settings.plant())
            .with(TrackerMain.DATABASE_PORT, embeddedPort);
    Path log = settings.directory().resolve(name + ".log");
    return new TrackerNode(
        new JvmNode(name, n -> ChildJvm.start(TrackerMain.class, log, TRACKER_HEAP, arguments)),
        door,
        database);
  }

  private List<String> trackerConfig(int port, TcpProxy door, @Nullable TcpProxy database) {
    return List.of(
        "rpc.port = " + port,
        "console.enabled = false",
        "rpc.advertised-host = " + door.address().host(),
        "rpc.advertised-port = " + door.address().port(),
        "store.url = " + (database == null ? embeddedUrl("file:") : serverUrl(database)),
        "store.username = " + (database == null ? "" : MariaDb.USER),
        "tracker.lease = " + settings.trackerLease().toMillis() + "ms",
        "worker.lease = " + settings.workerLease().toMillis() + "ms");
  }

  private static String serverUrl(TcpProxy database) {
    return MariaDb.url(database.address().port());
  }

  private String embeddedUrl(String prefix) {
    return "jdbc:h2:" + prefix + settings.directory().resolve("database").toAbsolutePath();
  }

  private static void write(Path file, List<String> lines) {
    try {
      Path unused = Files.write(file, lines);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void awaitListening(int port) {
    for (int i = 0; i < READY_SECONDS * 1_000 / PROBE_MILLIS; i++) {
      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
        if (socket.isConnected()) {
          return;
        }
      } catch (IOException notYet) {
        pause();
      }
    }
    throw new IllegalStateException("a tracker does not listen; see its log");
  }

  private static void pause() {
    try {
      Thread.sleep(PROBE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while the cluster starts", e);
    }
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
                  .with(ClientMain.SEED, settings.seed())
                  .with(ClientMain.SECONDS, settings.seconds())
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

  /** What the clients submit. */
  public Workload workload() {
    return Workload.of(settings.seed(), settings.seconds(), begin);
  }

  /** From when on the load is counted. */
  public Instant begin() {
    return begin;
  }

  /** The trackers, number 1 first. */
  public List<TrackerNode> trackers() {
    return List.copyOf(trackers);
  }

  /** The worker processes, number 1 first. */
  public List<Node> workers() {
    return List.copyOf(workers);
  }

  /** The client processes, number 1 first. */
  public List<Node> clients() {
    return List.copyOf(clients);
  }

  /** The database, if it is a process of its own. */
  public @Nullable Node database() {
    return server;
  }

  /** The URL of the database, past every wire that may be cut. */
  public String databaseUrl() {
    return server == null
        ? embeddedUrl("tcp://127.0.0.1:" + embeddedPort + "/")
        : MariaDb.url(server.port());
  }

  /** Who may read the database; without a password. */
  public String databaseUser() {
    return server == null ? "" : MariaDb.USER;
  }

  /** One journal for each start of a worker: {@code worker-<number>.<start>.runs}. */
  public List<Path> runJournals() {
    return List.copyOf(runJournals);
  }

  /** One journal for each start of a client: {@code client-<number>.<start>.submits}. */
  public List<Path> submitJournals() {
    return List.copyOf(submitJournals);
  }

  /** Begins again what ended without having been told to, and returns what that was. */
  public List<String> revive() {
    List<Node> nodes = new ArrayList<>(clients);
    nodes.addAll(workers);
    trackers.forEach(tracker -> nodes.add(tracker.process()));
    if (server != null) {
      nodes.add(Objects.requireNonNull(server));
    }
    return nodes.stream().filter(Node::revive).map(Node::name).toList();
  }

  /**
   * Waits until the clients have had an answer to all they asked for.
   *
   * @return whether that came in time
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

  /** Is there once the client has done all its steps. */
  private Path done(int client) {
    return settings.directory().resolve("client-" + client + ".done");
  }

  /** Kills everything. */
  @Override
  public void close() {
    clients.forEach(Node::kill);
    workers.forEach(Node::kill);
    for (TrackerNode tracker : trackers) {
      tracker.process().kill();
      tracker.door().close();
      if (tracker.database() != null) {
        tracker.database().close();
      }
    }
    if (server != null) {
      server.kill();
    }
  }
}
