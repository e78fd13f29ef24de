package io.millrace.torture.process;

import io.millrace.torture.network.TcpProxy;
import io.millrace.torture.node.Node;
import java.nio.file.Path;
import java.util.List;

/**
 * A tracker and its wires.
 *
 * @param process the tracker itself
 * @param port where it listens, behind its door
 * @param door what nodes and other trackers reach it through
 * @param databases what it reaches the nodes of the database through; empty if that is embedded
 * @param log what it writes, over all its starts
 */
public record TrackerNode(
    Node process, int port, TcpProxy door, List<TcpProxy> databases, Path log) {

  public TrackerNode {
    databases = List.copyOf(databases);
  }

  /** Kills it and cuts its wires for good. */
  void close() {
    process.kill();
    door.close();
    databases.forEach(TcpProxy::close);
  }
}
