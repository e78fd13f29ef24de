package io.millrace.internal.rpc.netty;

import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.rpc.HostPort;
import io.millrace.internal.rpc.RequestHandler;
import io.millrace.internal.rpc.RpcConnector;
import io.millrace.internal.rpc.RpcConnectorConfig;
import io.millrace.internal.rpc.RpcException;
import io.millrace.internal.rpc.Session;
import io.millrace.internal.rpc.connection.CallerHandshake;
import io.millrace.internal.rpc.connection.Connection;
import io.millrace.internal.rpc.connection.ConnectionContext;
import io.millrace.internal.rpc.connection.Nonces;
import io.millrace.internal.time.Clock;
import io.millrace.internal.time.Timer;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.SslContext;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Opens TCP connections to trackers. Thread-safe. */
public final class NettyRpcConnector implements RpcConnector {
  private final RpcConnectorConfig config;
  private final ConnectionContext context;
  private final Nonces nonces = new Nonces(new SecureRandom());
  private final @Nullable SslContext tls;
  private final NettyChannels channels;
  private final Set<Connection> connections = ConcurrentHashMap.newKeySet();

  /**
   * Makes a connector and starts its threads.
   *
   * @param timer schedules time-outs
   * @param threads number of threads for the connections, at least 1
   * @throws RpcException UNAVAILABLE if TLS cannot be set up with the files of the configuration
   */
  public NettyRpcConnector(RpcConnectorConfig config, Timer timer, Clock clock, int threads) {
    this.config = config;
    this.context = ConnectionContext.ofCaller(config.limits(), timer, clock);
    this.tls = config.tls() == null ? null : TlsContexts.ofCaller(config.tls());
    this.channels = new NettyChannels("millrace-rpc", threads);
  }

  @Override
  public CompletableFuture<Session> connect(String address, RequestHandler handler) {
    CompletableFuture<Session> result = new CompletableFuture<>();
    HostPort target;
    try {
      target = HostPort.parse(address);
    } catch (IllegalArgumentException e) {
      result.completeExceptionally(cannotConnect(address, e));
      return result;
    }
    boolean begun =
        channels.connect(
            () -> begin(target, handler, result),
            connected -> {
              if (!connected.isSuccess()) {
                result.completeExceptionally(cannotConnect(address, connected.cause()));
              }
            });
    if (!begun) {
      result.completeExceptionally(
          cannotConnect(address, new IllegalStateException("this connector is closed")));
    }
    return result;
  }

  private ChannelFuture begin(
      HostPort target, RequestHandler handler, CompletableFuture<Session> result) {
    return new Bootstrap()
        .group(channels.threads())
        .channel(NioSocketChannel.class)
        .option(ChannelOption.TCP_NODELAY, true)
        .option(ChannelOption.SO_KEEPALIVE, true)
        .option(
            ChannelOption.CONNECT_TIMEOUT_MILLIS,
            (int) Math.min(config.limits().handshakeTimeout().toMillis(), Integer.MAX_VALUE))
        .handler(initializer(target, handler, result))
        .connect(InetSocketAddress.createUnresolved(target.host(), target.port()));
  }

  private ChannelInitializer<SocketChannel> initializer(
      HostPort target, RequestHandler handler, CompletableFuture<Session> result) {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(SocketChannel channel) {
        if (tls != null) {
          channel.pipeline().addLast(tls.newHandler(channel.alloc(), target.host(), target.port()));
        }
        prepare(channel, target, handler, result);
        channels.add(channel);
      }
    };
  }

  private void prepare(
      Channel channel, HostPort target, RequestHandler handler, CompletableFuture<Session> result) {
    String address = target.toString();
    NettyTransport transport = NettyTransport.ofCaller(channel, address, context);
    Connection connection = new Connection(transport, context, handler);
    CallerHandshake handshake =
        new CallerHandshake(connection, context.messages(), config, nonces.get(), address, result);
    channel
        .pipeline()
        .addLast(transport.decoder(), new ConnectionHandler(connection, handshake::start));
    connections.add(connection);
    channel.closeFuture().addListener(gone -> connections.remove(connection));
  }

  private static RpcException cannotConnect(String address, Throwable cause) {
    return new RpcException(
        ErrorCode.UNAVAILABLE,
        "cannot connect to a tracker at " + address + ": " + cause.getMessage(),
        cause);
  }

  @Override
  public void close() {
    connections.forEach(Connection::close);
    channels.close();
  }
}
