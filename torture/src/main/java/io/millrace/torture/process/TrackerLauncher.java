package io.millrace.torture.process;

import io.millrace.internal.rpc.HostPort;
import io.millrace.torture.database.EmbeddedFile;
import io.millrace.torture.database.ServerNode;
import io.millrace.torture.database.Servers;
import io.millrace.torture.network.FreePort;
import io.millrace.torture.network.TcpProxy;
import io.millrace.torture.node.Arguments;
import io.millrace.torture.node.ChildJvm;
import io.millrace.torture.node.JvmNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Creates the trackers of a run: their wires, their configuration, and their launchers. */
final class TrackerLauncher {
  private static final int HEAP = 192;
  private static final int READY_SECONDS = 180;
  private static final long PROBE_MILLIS = 100;

  private final ClusterSettings settings;
  private final @Nullable Servers servers;
  private final @Nullable EmbeddedFile embedded;
  private final List<Path> replayJournals = new CopyOnWriteArrayList<>();

  /** Exactly one of servers and file is given. */
  TrackerLauncher(
      ClusterSettings settings, @Nullable Servers servers, @Nullable EmbeddedFile embedded) {
    this.settings = settings;
    this.servers = servers;
    this.embedded = embedded;
  }

  /** Returns one journal for each start of a tracker: {@code tracker-<number>.<start>.replays}. */
  List<Path> replayJournals() {
    return List.copyOf(replayJournals);
  }

  /** Returns the file that exists once no more replays are to be requested. */
  Path noMoreReplays() {
    return settings.directory().resolve("no-more-replays");
  }

  /** Creates a tracker without starting it. */
  TrackerNode tracker(int number) {
    String name = "tracker-" + number;
    int port = FreePort.find();
    TcpProxy door = TcpProxy.start(FreePort.find(), new HostPort("127.0.0.1", port));
    List<TcpProxy> databases = servers == null ? List.of() : servers.wires(number);
    Path config = settings.directory().resolve(name + ".properties");
    write(config, lines(port, door, databases));
    Arguments arguments =
        Arguments.none()
            .with(TrackerMain.CONFIG, config)
            .with(TrackerMain.NO_MORE_REPLAYS, noMoreReplays())
            .with(TrackerMain.PLANT, settings.plant() == null ? "" : settings.plant());
    Path log = settings.directory().resolve(name + ".log");
    return new TrackerNode(
        new JvmNode(
            name,
            start -> {
              Path journal = settings.directory().resolve(name + "." + start + ".replays");
              replayJournals.add(journal);
              return ChildJvm.start(
                  TrackerMain.class, log, HEAP, arguments.with(TrackerMain.REPLAYS, journal));
            }),
        port,
        door,
        databases,
        log);
  }

  private List<String> lines(int port, TcpProxy door, List<TcpProxy> databases) {
    return List.of(
        "rpc.port = " + port,
        "rpc.advertised-host = " + door.address().host(),
        "rpc.advertised-port = " + door.address().port(),
        "store.url = "
            + (servers == null ? Objects.requireNonNull(embedded).url() : servers.url(databases)),
        "store.username = " + (servers == null ? "" : ServerNode.USER),
        "tracker.lease = " + settings.trackerLease().toMillis() + "ms",
        "worker.lease = " + settings.workerLease().toMillis() + "ms");
  }

  private static void write(Path file, List<String> lines) {
    try {
      Path unused = Files.write(file, lines);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns when the tracker accepts connections. */
  static void awaitListening(TrackerNode tracker) {
    for (int i = 0; i < READY_SECONDS * 1_000 / PROBE_MILLIS; i++) {
      if (isListening(tracker)) {
        return;
      }
      pause();
    }
    throw new IllegalStateException(
        tracker.process().name() + " does not listen; see " + tracker.log());
  }

  /** Returns whether the tracker accepts connections. */
  static boolean isListening(TrackerNode tracker) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), tracker.port())) {
      return socket.isConnected();
    } catch (IOException notYet) {
      return false;
    }
  }

  private static void pause() {
    try {
      Thread.sleep(PROBE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while the cluster starts", e);
    }
  }
}
