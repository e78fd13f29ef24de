package io.millrace.console.http.server;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFactory;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelOption;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ServerChannel;
import io.netty.channel.socket.DatagramChannel;
import io.netty.channel.socket.InternetProtocolFamily;
import io.vertx.core.net.TcpConfig;
import io.vertx.core.transport.Transport;
import org.jspecify.annotations.Nullable;

/** The JDK transport with a {@link ConnectionGate} at the point where connections are accepted. */
final class GatedTransport implements Transport, io.vertx.core.spi.transport.Transport {
  /**
   * The most bytes read at once. All bytes of a read are decoded together, even if they contain
   * hundreds of small requests.
   */
  private static final int BYTES_READ_AT_ONCE = 8 << 10;

  private final io.vertx.core.spi.transport.Transport ofTheJdk = Transport.NIO.implementation();
  private final ChannelHandler gate;

  GatedTransport(ChannelHandler gate) {
    this.gate = gate;
  }

  @Override
  public String name() {
    return "gated " + Transport.NIO.name();
  }

  @Override
  public boolean available() {
    return true;
  }

  @Override
  public @Nullable Throwable unavailabilityCause() {
    return null;
  }

  @Override
  public io.vertx.core.spi.transport.Transport implementation() {
    return this;
  }

  @Override
  public void configure(TcpConfig config, boolean domainSocket, ServerBootstrap bootstrap) {
    ofTheJdk.configure(config, domainSocket, bootstrap);
    bootstrap
        .handler(gate)
        .childOption(
            ChannelOption.RECVBUF_ALLOCATOR,
            new AdaptiveRecvByteBufAllocator(1 << 10, 2 << 10, BYTES_READ_AT_ONCE));
  }

  @Override
  public IoHandlerFactory ioHandlerFactory() {
    return ofTheJdk.ioHandlerFactory();
  }

  @Override
  @SuppressWarnings("deprecation") // required by the interface
  public DatagramChannel datagramChannel(InternetProtocolFamily family) {
    return ofTheJdk.datagramChannel(family);
  }

  @Override
  public ChannelFactory<? extends DatagramChannel> datagramChannelFactory() {
    return ofTheJdk.datagramChannelFactory();
  }

  @Override
  public ChannelFactory<? extends Channel> channelFactory(boolean domainSocket) {
    return ofTheJdk.channelFactory(domainSocket);
  }

  @Override
  public ChannelFactory<? extends ServerChannel> serverChannelFactory(boolean domainSocket) {
    return ofTheJdk.serverChannelFactory(domainSocket);
  }
}
