package io.millrace.jobtracker.cluster;

import io.millrace.internal.model.NodeRole;
import io.millrace.internal.rpc.Peer;
import io.millrace.internal.rpc.Session;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The workers and clients connected to this tracker now. Thread-safe. */
public final class ConnectedNodes {
  private final Set<Session> sessions = new LinkedHashSet<>();
  private final Runnable onClient;
  private final Consumer<Peer> onWorkerGone;

  /**
   * @param onClient called when a client has connected
   * @param onWorkerGone called when a worker's connection is closed
   */
  public ConnectedNodes(Runnable onClient, Consumer<Peer> onWorkerGone) {
    this.onClient = onClient;
    this.onWorkerGone = onWorkerGone;
  }

  /** Records a new connection until it closes. */
  public void connected(Session session) {
    synchronized (this) {
      sessions.add(session);
    }
    session.onClose(
        () -> {
          synchronized (this) {
            sessions.remove(session);
          }
          if (session.peer().role() == NodeRole.WORKER) {
            onWorkerGone.accept(session.peer());
          }
        });
    if (session.peer().role() == NodeRole.CLIENT) {
      onClient.run();
    }
  }

  /** The client groups with at least one connected client. */
  public synchronized Set<String> clientGroups() {
    return open(NodeRole.CLIENT)
        .map(client -> client.peer().group())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** The node ids of the workers of a node group that are connected to this tracker. */
  public synchronized Set<String> workers(String nodeGroup) {
    return open(NodeRole.WORKER)
        .filter(worker -> worker.peer().group().equals(nodeGroup))
        .map(worker -> worker.peer().nodeId())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /**
   * The number of workers of each node group that are connected to this tracker; groups without
   * workers are absent.
   */
  public synchronized Map<String, Integer> workersByGroup() {
    return open(NodeRole.WORKER)
        .collect(Collectors.toMap(worker -> worker.peer().group(), worker -> 1, Integer::sum));
  }

  /** The open connections of a client group, oldest first. */
  public synchronized List<Session> clients(String clientGroup) {
    return open(NodeRole.CLIENT)
        .filter(client -> client.peer().group().equals(clientGroup))
        .toList();
  }

  private Stream<Session> open(NodeRole role) {
    return sessions.stream().filter(node -> node.peer().role() == role && node.isOpen());
  }
}
