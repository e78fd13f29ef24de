package io.millrace.internal.rpc.netty;

import io.millrace.internal.model.NodeRole;
import io.millrace.internal.protocol.ErrorCode;
import io.millrace.internal.rpc.HostPort;
import io.millrace.internal.rpc.RequestHandler;
import io.millrace.internal.rpc.RpcCounts;
import io.millrace.internal.rpc.RpcException;
import io.millrace.internal.rpc.RpcServer;
import io.millrace.internal.rpc.RpcServerConfig;
import io.millrace.internal.rpc.Session;
import io.millrace.internal.rpc.Token;
import io.millrace.internal.rpc.connection.Connection;
import io.millrace.internal.rpc.connection.ConnectionContext;
import io.millrace.internal.rpc.connection.Nonces;
import io.millrace.internal.rpc.connection.TrackerHandshake;
import io.millrace.internal.rpc.connection.TrackerIdentity;
import io.millrace.internal.time.Clock;
import io.millrace.internal.time.Timer;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.flush.FlushConsolidationHandler;
import io.netty.handler.ssl.SslContext;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens on a TCP port. Refuses to listen on an address that other machines can reach unless
 * clients and workers must prove a token. All threads serve connections, and one of them also
 * accepts. Thread-safe.
 */
public final class NettyRpcServer implements RpcServer {
  private static final Logger LOG = LoggerFactory.getLogger(NettyRpcServer.class);
  private static final int BACKLOG = 1_024;
  private static final int READ_BYTES = 16 << 10;

  /** Answers sent in one write, when many requests arrived in one read. */
  private static final int ANSWERS_PER_WRITE = 128;

  private final RpcServerConfig config;
  private final ConnectionContext context;
  private final TrackerIdentity identity;
  private final int threads;
  private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
  private final Handshakes handshakes;
  private @Nullable NettyChannels channels;
  private boolean closed;

  /**
   * Makes a server; it does nothing until it is started.
   *
   * @param trackerId identity of the tracker, sent to callers
   * @param timer schedules time-outs
   * @param threads number of threads for the connections, at least 1
   */
  public NettyRpcServer(
      RpcServerConfig config, String trackerId, Timer timer, Clock clock, int threads) {
    this.config = config;
    this.context = ConnectionContext.of(config.limits(), config.together(), timer, clock);
    this.handshakes = new Handshakes(config.together().maxHandshakes());
    this.identity = new TrackerIdentity(trackerId, config.tokens(), new Nonces(new SecureRandom()));
    this.threads = threads;
  }

  /**
   * {@inheritDoc}
   *
   * @throws IllegalStateException if other machines can reach the address and clients or workers
   *     have no token; or if the server was started or closed before
   */
  @Override
  public synchronized String start(RequestHandler handler, Consumer<Session> onSession) {
    if (channels != null || closed) {
      throw new IllegalStateException("this server has already been started or closed");
    }
    InetAddress address = resolve();
    requireTokens(address);
    warnOfWeakTokens();
    SslContext tls = config.tls() == null ? null : TlsContexts.ofServer(config.tls());
    NettyChannels opened = new NettyChannels("millrace-rpc-server", threads);
    channels = opened;
    ChannelFuture bound =
        new ServerBootstrap()
            .group(opened.threads())
            .channel(NioServerSocketChannel.class)
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .option(ChannelOption.SO_REUSEADDR, true)
            .childOption(ChannelOption.TCP_NODELAY, true)
            .childOption(ChannelOption.SO_KEEPALIVE, true)
            .childOption(ChannelOption.RECVBUF_ALLOCATOR, aLittleAtATime())
            .childHandler(initializer(opened, tls, handler, onSession))
            .bind(new InetSocketAddress(address, config.port()))
            .awaitUninterruptibly();
    if (!bound.isSuccess()) {
      close();
      throw cannotListen(String.valueOf(bound.cause().getMessage()), bound.cause());
    }
    opened.add(bound.channel());
    return reachableAddress((InetSocketAddress) bound.channel().localAddress());
  }

  /**
   * Reads small amounts, so that a connection that sends much does not delay the others of its
   * thread for long.
   */
  private static RecvByteBufAllocator aLittleAtATime() {
    return new AdaptiveRecvByteBufAllocator(64, 2 << 10, READ_BYTES).maxMessagesPerRead(1);
  }

  private InetAddress resolve() {
    try {
      return InetAddress.getByName(config.host());
    } catch (UnknownHostException e) {
      throw cannotListen("unknown host", e);
    }
  }

  private void requireTokens(InetAddress address) {
    if (!address.isLoopbackAddress() && !config.tokens().areComplete()) {
      throw new IllegalStateException(
          "refusing to listen on "
              + config.host()
              + ", which other machines can reach, without a token for both clients and workers;"
              + " set the tracker's client token and worker token, or bind to 127.0.0.1");
    }
  }

  private void warnOfWeakTokens() {
    for (NodeRole role : List.of(NodeRole.CLIENT, NodeRole.WORKER)) {
      Token token = config.tokens().of(role);
      if (token != null && token.isOfLowVariety()) {
        LOG.warn(
            "rpc: the token of {}S has few different characters and can be guessed; generate"
                + " one with: openssl rand -hex 32",
            role);
      }
    }
  }

  private ChannelInitializer<SocketChannel> initializer(
      NettyChannels opened,
      @Nullable SslContext tls,
      RequestHandler handler,
      Consumer<Session> onSession) {
    return new ChannelInitializer<>() {
      @Override
      protected void initChannel(SocketChannel channel) {
        if (connections.size() >= config.together().maxConnections()
            && !handshakes.giveUpOldest()) {
          refuse(channel);
          return;
        }
        if (tls != null) {
          channel.pipeline().addLast(tls.newHandler(channel.alloc()));
        }
        accept(channel, handler, onSession);
        opened.add(channel);
      }
    };
  }

  private void refuse(Channel channel) {
    context.load().countRefusedConnection();
    context
        .load()
        .log()
        .write(
            "refused connection",
            ending ->
                LOG.warn(
                    "rpc: refusing a connection from {}: {} connections are open{}",
                    NettyTransport.describe(channel.remoteAddress()),
                    config.together().maxConnections(),
                    ending));
    channel.close();
  }

  private void accept(Channel channel, RequestHandler handler, Consumer<Session> onSession) {
    String caller = NettyTransport.describe(channel.remoteAddress());
    NettyTransport transport = NettyTransport.ofServer(channel, caller, context);
    Connection connection = new Connection(transport, context, handler);
    connections.add(connection);
    connection
        .closed()
        .thenRun(
            () -> {
              connections.remove(connection);
              handshakes.end(connection);
            });
    connection.begin(
        new TrackerHandshake(
            connection,
            context,
            identity,
            session -> {
              handshakes.end(connection);
              onSession.accept(session);
            }));
    channel
        .pipeline()
        .addLast(
            new FlushConsolidationHandler(
                ANSWERS_PER_WRITE, /* consolidateWhenNoReadInProgress= */ true),
            transport.decoder(),
            new ConnectionHandler(connection, () -> {}));
    handshakes.begin(connection);
  }

  @Override
  public RpcCounts counts() {
    return context.load();
  }

  private String reachableAddress(InetSocketAddress bound) {
    int port = config.advertisedPort() == 0 ? bound.getPort() : config.advertisedPort();
    if (config.advertisedHost() != null) {
      return new HostPort(config.advertisedHost(), port).toString();
    }
    if (!bound.getAddress().isAnyLocalAddress()) {
      return NettyTransport.describe(new InetSocketAddress(bound.getAddress(), port));
    }
    try {
      String own = InetAddress.getLocalHost().getHostAddress();
      return new HostPort(own, port).toString();
    } catch (UnknownHostException e) {
      throw cannotListen("this machine does not know its own address; set the advertised host", e);
    }
  }

  private RpcException cannotListen(String reason, Throwable cause) {
    return new RpcException(
        ErrorCode.UNAVAILABLE,
        "cannot listen on " + new HostPort(config.host(), config.port()) + ": " + reason,
        cause);
  }

  @Override
  public void close() {
    NettyChannels running;
    synchronized (this) {
      closed = true;
      running = channels;
    }
    connections.forEach(Connection::close);
    if (running != null) {
      running.close();
    }
  }
}
