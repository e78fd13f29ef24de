package io.millrace.torture.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.millrace.torture.network.TcpProxy;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServersTest {
  /** Any program will do, because nothing is started. */
  private static final Map<String, String> ENVIRONMENT =
      Map.of("MILLRACE_MYSQL", "/bin/sh", "MILLRACE_GALERA", "/bin/sh");

  @TempDir Path directory;

  private Servers servers(DatabaseKind kind, long seed) {
    return Servers.of(kind, directory, seed, ENVIRONMENT);
  }

  private static List<Integer> hosts(Servers servers, int tracker) {
    List<TcpProxy> wires = servers.wires(tracker);
    wires.forEach(TcpProxy::close);
    assertThat(servers.url(wires))
        .startsWith("jdbc:mysql://" + wires.get(0).address())
        .endsWith("/millrace?sslMode=DISABLED");
    return wires.stream().map(wire -> wire.target().port()).toList();
  }

  @Test
  void trackersOfEvenSeedsKnowEveryNodeEachBeginningWithItsOwn() {
    Servers servers = servers(DatabaseKind.GALERA, 42);
    List<Integer> ports = servers.nodes().stream().map(ServerNode::port).toList();

    assertThat(hosts(servers, 1)).containsExactly(ports.get(0), ports.get(1), ports.get(2));
    assertThat(hosts(servers, 2)).containsExactly(ports.get(1), ports.get(2), ports.get(0));
  }

  @Test
  void trackersOfOddSeedsKnowANodeOfTheirOwn() {
    Servers servers = servers(DatabaseKind.GALERA, 43);
    List<Integer> ports = servers.nodes().stream().map(ServerNode::port).toList();

    assertThat(hosts(servers, 1)).containsExactly(ports.get(0));
    assertThat(hosts(servers, 2)).containsExactly(ports.get(1));
  }

  @Test
  void aServerOfItsOwnIsOneForAllTrackers() {
    Servers servers = servers(DatabaseKind.MYSQL, 1);

    assertThat(servers.nodes()).singleElement().isInstanceOf(MySqlNode.class);
    assertThat(servers.directUrl(servers.nodes().get(0)))
        .contains("127.0.0.1:" + servers.nodes().get(0).port(), "sslMode=DISABLED");
  }

  @Test
  void withoutItsProgramThereIsNoServer() {
    assertThatThrownBy(() -> Servers.of(DatabaseKind.GALERA, directory, 1, Map.of()))
        .isInstanceOf(ServerProgramMissingException.class)
        .hasMessageContaining("MILLRACE_GALERA");
  }
}
