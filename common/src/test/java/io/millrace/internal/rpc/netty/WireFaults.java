package io.millrace.internal.rpc.netty;

import static io.millrace.internal.rpc.netty.NettyNodes.CLIENT_TOKEN;
import static io.millrace.internal.rpc.netty.NettyNodes.SOON;
import static io.millrace.internal.rpc.netty.NettyNodes.TOKENS;
import static io.millrace.internal.rpc.netty.NettyNodes.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.millrace.internal.model.NodeRole;
import io.millrace.internal.protocol.CancelRequest;
import io.millrace.internal.rpc.RpcServerConfig;
import io.millrace.internal.rpc.Session;
import java.io.IOException;

/** A server under fire, and a good connection that must not notice. */
final class WireFaults implements AutoCloseable {
  private final NettyNodes nodes = new NettyNodes();
  private final String address;
  private final Session bystander;

  WireFaults() {
    address = nodes.serve(RpcServerConfig.onLoopback(0).withTokens(TOKENS));
    bystander = nodes.connect(address, NodeRole.CLIENT, CLIENT_TOKEN);
  }

  String address() {
    return address;
  }

  RawPeer stranger() throws IOException {
    return RawPeer.connect(address);
  }

  RawPeer client() throws IOException {
    return RawPeer.greeted(address, NodeRole.CLIENT, CLIENT_TOKEN);
  }

  /** This connection is closed; the one beside it and a new one are served. */
  void assertClosesOnly(RawPeer bad) throws IOException {
    assertThat(bad.isClosedByTracker()).as("the bad connection is closed").isTrue();
    assertServes();
  }

  /** The connection beside it and a new one are served. */
  void assertServes() throws IOException {
    assertThat(bystander.isOpen()).as("the good connection is open").isTrue();
    assertThat(get(bystander.call(new CancelRequest("orders", "four"), SOON)).cancelledTriggers())
        .isEqualTo(4);
    client().close();
  }

  @Override
  public void close() throws Exception {
    nodes.close();
  }
}
