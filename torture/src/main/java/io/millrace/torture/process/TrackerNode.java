package io.millrace.torture.process;

import io.millrace.torture.network.TcpProxy;
import io.millrace.torture.node.Node;
import java.nio.file.Path;
import java.util.List;

/**
 * A tracker and its wires.
 *
 * @param process the process of the tracker
 * @param port the port on which it listens, behind its proxy
 * @param door the proxy through which nodes and other trackers connect to it
 * @param databases the proxies through which it connects to the nodes of the database; empty if the
 *     database is embedded
 * @param log the log of all its starts
 */
public record TrackerNode(
    Node process, int port, TcpProxy door, List<TcpProxy> databases, Path log) {

  public TrackerNode {
    databases = List.copyOf(databases);
  }

  /** Kills the tracker and cuts its wires permanently. */
  void close() {
    process.kill();
    door.close();
    databases.forEach(TcpProxy::close);
  }
}
