package io.millrace.torture.database;

import io.millrace.internal.rpc.HostPort;
import io.millrace.torture.network.FreePort;
import io.millrace.torture.network.TcpProxy;
import io.millrace.torture.node.Watched;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The database servers of a run: one, or the nodes of a cluster. */
public final class Servers {
  static final String SCHEMA = "millrace";

  /** The number of consecutive ports for the communication between the nodes of a cluster. */
  private static final int CLUSTER_PORTS = 40;

  private final List<ServerNode> nodes;
  private final Runnable beginning;
  private final boolean isReachedByManyHosts;

  private Servers(List<? extends ServerNode> nodes, Runnable beginning, boolean byManyHosts) {
    this.nodes = List.copyOf(nodes);
    this.beginning = beginning;
    this.isReachedByManyHosts = byManyHosts;
  }

  /**
   * Creates the servers of a run without starting them. Trackers know all nodes of a cluster if the
   * seed is even, and only one node each if it is odd.
   *
   * @param directory the directory of all their files
   * @param environment the environment of this process
   * @throws ServerProgramMissingException if the environment does not name the program that starts
   *     the servers
   */
  public static Servers of(
      DatabaseKind kind, Path directory, long seed, Map<String, String> environment) {
    make(directory);
    return switch (kind) {
      case MARIADB -> single(MariaDb.install(directory));
      case MYSQL ->
          single(
              new MySqlNode(
                  ServerProgram.named(ServerProgram.MYSQL, environment),
                  directory,
                  FreePort.find()));
      case GALERA ->
          galera(ServerProgram.named(ServerProgram.GALERA, environment), directory, seed % 2 == 0);
      case H2 -> throw new IllegalArgumentException("an embedded database has no servers");
    };
  }

  private static void make(Path directory) {
    try {
      Path unused = Files.createDirectories(directory);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Servers single(ServerNode node) {
    return new Servers(List.of(node), node::start, false);
  }

  private static Servers galera(ServerProgram program, Path directory, boolean byManyHosts) {
    int first = FreePort.findRow(CLUSTER_PORTS);
    List<GaleraNode> nodes =
        IntStream.range(0, GaleraNode.NODES)
            .mapToObj(number -> new GaleraNode(program, directory, first, number))
            .toList();
    return new Servers(
        nodes,
        () -> {
          List<Watched> begun =
              program.run(
                  directory.resolve("program.log"), "start", directory.resolve("data"), first);
          for (int number = 0; number < nodes.size(); number++) {
            nodes.get(number).adopt(begun.get(number));
          }
          nodes.forEach(ServerNode::awaitServing);
        },
        byManyHosts);
  }

  static void makeSchema(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("CREATE DATABASE IF NOT EXISTS " + SCHEMA);
    }
  }

  /** Starts all servers without any data. */
  public void start() {
    beginning.run();
  }

  /** Returns the only server, or the nodes of a cluster in order. */
  public List<ServerNode> nodes() {
    return nodes;
  }

  /** Describes which servers each tracker can reach. */
  public String reach() {
    return nodes.size() == 1
        ? "one server"
        : isReachedByManyHosts
            ? "each tracker knows all nodes"
            : "each tracker knows a node of its own";
  }

  /**
   * Creates wires from a tracker to the servers that it knows, the preferred one first.
   *
   * @param tracker the number of the tracker, from 1
   */
  public List<TcpProxy> wires(int tracker) {
    List<ServerNode> known = new ArrayList<>(nodes);
    Collections.rotate(known, 1 - tracker);
    return known.stream()
        .limit(isReachedByManyHosts ? known.size() : 1)
        .map(node -> TcpProxy.start(FreePort.find(), new HostPort("127.0.0.1", node.port())))
        .toList();
  }

  /** Returns the URL with which a tracker reaches the servers over these wires. */
  public String url(List<TcpProxy> wires) {
    return "jdbc:mysql://"
        + wires.stream().map(wire -> wire.address().toString()).collect(Collectors.joining(","))
        + "/"
        + SCHEMA
        + nodes.get(0).options();
  }

  /**
   * Returns the direct URL of a node, without wires, for reading everything committed on any node.
   */
  public String directUrl(ServerNode node) {
    return "jdbc:mysql://127.0.0.1:"
        + node.port()
        + "/"
        + SCHEMA
        + node.options()
        + (nodes.size() > 1 ? "&sessionVariables=wsrep_sync_wait=1" : "");
  }
}
