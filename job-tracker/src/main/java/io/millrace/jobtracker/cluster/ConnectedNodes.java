package io.millrace.jobtracker.cluster;

import io.millrace.common.model.NodeRole;
import io.millrace.common.rpc.Peer;
import io.millrace.common.rpc.Session;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;

/** The workers and clients connected to this tracker now. Thread-safe. */
public final class ConnectedNodes {
  private final Map<Session, NodeRole> sessions = new LinkedHashMap<>();
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
      sessions.put(session, session.peer().role());
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
    Set<String> groups = new TreeSet<>();
    sessions.forEach(
        (session, role) -> {
          if (role == NodeRole.CLIENT) {
            groups.add(session.peer().group());
          }
        });
    return groups;
  }

  /** The node ids of the workers of a node group that are connected to this tracker. */
  public synchronized Set<String> workers(String nodeGroup) {
    Set<String> workers = new TreeSet<>();
    sessions.forEach(
        (session, role) -> {
          if (role == NodeRole.WORKER
              && session.isOpen()
              && session.peer().group().equals(nodeGroup)) {
            workers.add(session.peer().nodeId());
          }
        });
    return workers;
  }

  /**
   * The number of workers of each node group that are connected to this tracker; groups without
   * workers are absent.
   */
  public synchronized Map<String, Integer> workersByGroup() {
    Map<String, Integer> workers = new HashMap<>();
    sessions.forEach(
        (session, role) -> {
          if (role == NodeRole.WORKER && session.isOpen()) {
            workers.merge(session.peer().group(), 1, Integer::sum);
          }
        });
    return workers;
  }

  /** The open connections of a client group, oldest first. */
  public synchronized List<Session> clients(String clientGroup) {
    List<Session> clients = new ArrayList<>();
    sessions.forEach(
        (session, role) -> {
          if (role == NodeRole.CLIENT
              && session.isOpen()
              && session.peer().group().equals(clientGroup)) {
            clients.add(session);
          }
        });
    return clients;
  }
}
