package io.millrace.internal.rpc.netty;

import static io.millrace.internal.rpc.netty.NettyNodes.CLIENT_TOKEN;
import static io.millrace.internal.rpc.netty.NettyNodes.SOON;
import static io.millrace.internal.rpc.netty.NettyNodes.TOKENS;
import static io.millrace.internal.rpc.netty.NettyNodes.WORKER_TOKEN;
import static io.millrace.internal.rpc.netty.NettyNodes.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.millrace.internal.LogCapture;
import io.millrace.internal.model.NodeRole;
import io.millrace.internal.protocol.CancelRequest;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.rpc.ConnectionLimits;
import io.millrace.internal.rpc.HostPort;
import io.millrace.internal.rpc.RoleTokens;
import io.millrace.internal.rpc.RpcConnectorConfig;
import io.millrace.internal.rpc.RpcException;
import io.millrace.internal.rpc.RpcFailures;
import io.millrace.internal.rpc.RpcServerConfig;
import io.millrace.internal.rpc.ServerLimits;
import io.millrace.internal.rpc.Session;
import io.millrace.internal.rpc.Token;
import io.millrace.internal.time.SystemClock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ListeningTest {
  private final NettyNodes nodes = new NettyNodes();

  @AfterEach
  void close() throws Exception {
    nodes.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"0.0.0.0", "::"})
  void addressOthersCanReachNeedsTheTokensOfBothRoles(String host) {
    for (RoleTokens tokens :
        new RoleTokens[] {
          RoleTokens.NONE, new RoleTokens(CLIENT_TOKEN, null), new RoleTokens(null, WORKER_TOKEN)
        }) {
      assertThatThrownBy(() -> nodes.serve(config(host, tokens)))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining(host)
          .hasMessageContaining("client token and worker token");
    }
  }

  @Test
  void withBothTokensAnyAddressIsServedAndTellsHowToReachIt() {
    String address = nodes.serve(config("0.0.0.0", TOKENS));

    assertThat(HostPort.parse(address).host()).isNotEqualTo("0.0.0.0");
    String local = "127.0.0.1:" + HostPort.parse(address).port();
    Session session = nodes.connect(local, NodeRole.CLIENT, CLIENT_TOKEN);
    assertThat(get(session.call(new CancelRequest("orders", "a"), SOON)).found()).isTrue();
  }

  @Test
  void advertisedHostTakesThePlaceOfTheBoundOne() {
    RpcServerConfig config =
        new RpcServerConfig(
            "127.0.0.1",
            0,
            "tracker.example",
            0,
            TOKENS,
            null,
            ServerLimits.DEFAULT,
            ConnectionLimits.DEFAULT);

    assertThat(HostPort.parse(nodes.serve(config)).host()).isEqualTo("tracker.example");
  }

  @Test
  void advertisedPortTakesThePlaceOfTheBoundOne() {
    HostPort proxy = new HostPort("127.0.0.1", 9);

    assertThat(nodes.serve(RpcServerConfig.onLoopback(0).advertising(proxy)))
        .isEqualTo("127.0.0.1:9");
  }

  @Test
  void portInUseIsNamed() {
    int port = HostPort.parse(nodes.serve(RpcServerConfig.onLoopback(0))).port();

    assertThatThrownBy(() -> nodes.serve(RpcServerConfig.onLoopback(port)))
        .isInstanceOf(RpcException.class)
        .hasMessageContaining("cannot listen on 127.0.0.1:" + port);
  }

  @Test
  void unknownHostIsNamed() {
    assertThatThrownBy(() -> nodes.serve(config("no-such-host.invalid", TOKENS)))
        .isInstanceOf(RpcException.class)
        .hasMessageContaining("no-such-host.invalid");
  }

  @Test
  void shortTokenIsRefusedWithoutBeingShown() {
    assertThatThrownBy(() -> Token.of("  hunter2  "))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("at least 16")
        .hasMessageNotContaining("hunter2");
  }

  @Test
  void tokenThatCanBeGuessedIsWarnedOfWithoutBeingShown() {
    try (LogCapture log = new LogCapture(NettyRpcServer.class)) {
      nodes.serve(config("127.0.0.1", TOKENS));
      assertThat(log.lines()).isEmpty();

      nodes.serve(config("127.0.0.1", new RoleTokens(CLIENT_TOKEN, Token.of("aaaaaaaaaaaaaaaa"))));
      assertThat(log.lines())
          .singleElement()
          .asString()
          .startsWith("WARN rpc: the token of WORKERS has few different characters")
          .doesNotContain("aaaa");
    }
  }

  @Test
  void noConfigurationShowsItsTokens() {
    assertThat(config("127.0.0.1", TOKENS).toString()).doesNotContain("token-of-the-tests");
    assertThat(RpcConnectorConfig.of(NodeRole.CLIENT, "c-1", "", CLIENT_TOKEN).toString())
        .doesNotContain("token-of-the-tests");
  }

  @Test
  void closedServerFreesItsPortAndItsConnections() throws Exception {
    NettyRpcServer server =
        new NettyRpcServer(
            RpcServerConfig.onLoopback(0), "t-1", nodes.timer(), new SystemClock(), 1);
    String address = server.start(nodes.tracker, nodes.sessions::add);
    Session session = nodes.connect(address, NodeRole.CLIENT, null);

    server.close();
    server.close();

    await().until(() -> !session.isOpen());
    nodes.serve(RpcServerConfig.onLoopback(HostPort.parse(address).port()));
    assertThatThrownBy(() -> server.start(nodes.tracker, nodes.sessions::add))
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void closedConnectorConnectsNoMore() {
    String address = nodes.serve(RpcServerConfig.onLoopback(0));
    NettyRpcConnector connector =
        nodes.connector(RpcConnectorConfig.of(NodeRole.CLIENT, "c-1", "", null));
    Session session = get(connector.connect(address, nodes.caller));

    connector.close();

    assertThat(session.isOpen()).isFalse();
    RpcFailures.assertFails(connector.connect(address, nodes.caller), ErrorCode.UNAVAILABLE);
  }

  private static RpcServerConfig config(String host, @Nullable RoleTokens tokens) {
    return new RpcServerConfig(
        host, 0, null, 0, tokens, null, ServerLimits.DEFAULT, ConnectionLimits.DEFAULT);
  }
}
