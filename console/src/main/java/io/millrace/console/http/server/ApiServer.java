package io.millrace.console.http.server;

import io.millrace.console.http.Authenticator;
import io.millrace.console.http.HostRules;
import io.millrace.console.http.HttpLimits;
import io.millrace.console.http.Param;
import io.millrace.console.http.Problem;
import io.millrace.console.http.Refusals;
import io.millrace.console.http.Route;
import io.millrace.console.http.StaticFile;
import io.millrace.internal.codec.JsonCodec;
import io.millrace.internal.time.Clock;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves routes and the console's pages over HTTP/1.1. Each connection carries one request at a
 * time, so limits on connections are limits on requests. Thread-safe.
 */
public final class ApiServer implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(ApiServer.class);
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final long LOOK_FOR_OVERDUE_MILLIS = 500;

  /**
   * Idle timeout of Vert.x: longer than every deadline of {@link Connections}, so it ends only
   * connections that those deadlines missed.
   */
  private static final Duration SILENCE = Duration.ofMinutes(5);

  /**
   * The address, TLS files and limits of the server.
   *
   * @param port 0 for any free port
   * @param threads number of threads that answer requests
   * @param certificate PEM file of the certificate chain; null for no TLS
   * @param key PEM file of the private key; null for no TLS
   * @param hosts the host names by which clients may address the server
   * @param limits limits over all connections
   */
  public record Listening(
      String host,
      int port,
      int threads,
      @Nullable Path certificate,
      @Nullable Path key,
      HostRules hosts,
      HttpLimits limits) {}

  private final Listening listening;
  private final List<Route> routes;
  private final List<StaticFile> files;
  private final ServerParts parts;

  /**
   * @param routes the routes to serve
   * @param files files served to all callers
   * @param doorkeeper authenticates requests
   * @param refusals receives what the server refuses
   */
  public ApiServer(
      Listening listening,
      List<Route> routes,
      List<StaticFile> files,
      Authenticator doorkeeper,
      JsonCodec codec,
      Clock clock,
      Refusals refusals) {
    this.listening = listening;
    this.routes = List.copyOf(routes);
    this.files = List.copyOf(files);
    LongSupplier now = () -> TimeUnit.NANOSECONDS.toMillis(clock.nanoTime());
    Connections connections = new Connections(listening.limits(), refusals);
    this.parts =
        new ServerParts(
            vertx(
                listening.threads(),
                new ConnectionGate(connections, listening.limits().connections(), now)),
            listening.limits(),
            connections,
            new Sender(connections, refusals, codec, clock, now),
            doorkeeper,
            listening.hosts(),
            codec,
            refusals,
            new WrongTokens(refusals, listening.limits().guessDelay()),
            now);
  }

  private static Vertx vertx(int threads, ConnectionGate gate) {
    return Vertx.builder()
        .withTransport(new GatedTransport(gate))
        .with(
            new VertxOptions()
                .setEventLoopPoolSize(1)
                .setWorkerPoolSize(threads)
                .setInternalBlockingPoolSize(1)
                .setUseDaemonThread(true)
                .setFileSystemOptions(
                    new FileSystemOptions()
                        .setClassPathResolvingEnabled(false)
                        .setFileCachingEnabled(false)))
        .build();
  }

  /**
   * Starts to listen on the configured address.
   *
   * @return the port
   * @throws IllegalStateException if it cannot listen; names the file if the certificate or the key
   *     is invalid
   */
  public int start() {
    Vertx vertx = parts.vertx();
    Entrance entrance = new Entrance(parts, router());
    HttpServer starting =
        vertx
            .createHttpServer(options())
            .requestHandler(entrance)
            .invalidRequestHandler(entrance::refuseMalformed);
    long unused =
        vertx.setPeriodic(
            LOOK_FOR_OVERDUE_MILLIS,
            due -> {
              parts.connections().closeOverdue(parts.now().getAsLong());
              parts.wrongTokens().reportIfDue(parts.now().getAsLong());
            });
    String where = listening.host() + ":" + listening.port();
    try {
      return starting.listen().await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS).actualPort();
    } catch (Exception e) { // of any kind: await throws what listening failed with
      keepInterrupt(e);
      throw new IllegalStateException("cannot listen for operators at " + where + ": " + e, e);
    }
  }

  private static void keepInterrupt(Exception failure) {
    if (failure instanceof InterruptedException) {
      Thread.currentThread().interrupt();
    }
  }

  private HttpServerOptions options() {
    HttpServerOptions options =
        new HttpServerOptions()
            .setHost(listening.host())
            .setPort(listening.port())
            .setIdleTimeout((int) SILENCE.toSeconds())
            .setHttp2ClearTextEnabled(false)
            .setUseAlpn(false)
            .setHandle100ContinueAutomatically(false);
    if (listening.certificate() != null && listening.key() != null) {
      PemFiles.check(listening.certificate(), listening.key());
      options
          .setSsl(true)
          .setKeyCertOptions(
              new PemKeyCertOptions()
                  .setCertPath(listening.certificate().toString())
                  .setKeyPath(listening.key().toString()));
    }
    return options;
  }

  private Router router() {
    Router router = Router.router(parts.vertx());
    Answers answers = new Answers(parts);
    routes.forEach(route -> answers.add(router, route));
    StaticFiles.add(router, files, parts.sender());
    AllowedMethods methods = new AllowedMethods(routes, files);
    router.errorHandler(
        Problem.Kind.NOT_FOUND.status(),
        context ->
            refuse(
                context, Problem.Kind.NOT_FOUND.with("there is no resource at " + path(context))));
    router.errorHandler(
        Problem.Kind.METHOD_NOT_ALLOWED.status(),
        context -> {
          context.response().putHeader("Allow", methods.of(context.normalizedPath()));
          refuse(
              context,
              Problem.Kind.METHOD_NOT_ALLOWED.with(
                  path(context) + " does not allow " + context.request().method()));
        });
    router.errorHandler(
        Problem.Kind.BAD_REQUEST.status(),
        context -> refuse(context, Problem.Kind.BAD_REQUEST.with("the request is malformed")));
    return router;
  }

  private void refuse(RoutingContext context, Problem problem) {
    parts.sender().refuse(context.request(), problem);
  }

  private static String path(RoutingContext context) {
    return Param.shown(context.normalizedPath());
  }

  /** Closes every connection and stops every thread. Idempotent. */
  @Override
  public void close() {
    try {
      Void unused = parts.vertx().close().await(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (Exception e) { // of any kind: await throws what closing failed with
      keepInterrupt(e);
      LOG.warn("console: did not close cleanly", e);
    }
  }
}
