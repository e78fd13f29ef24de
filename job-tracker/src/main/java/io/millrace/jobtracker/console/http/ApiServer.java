package io.millrace.jobtracker.console.http;

import io.millrace.common.codec.Codec;
import io.millrace.common.codec.CodecException;
import io.millrace.jobtracker.store.Role;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import io.vertx.ext.web.handler.SecurityPolicyHandler;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves routes, and the console's pages, over HTTP. Who asks is found out before a byte of the
 * body is read; bodies, connections, streams and the threads that answer are bounded. Whatever goes
 * wrong is answered by a {@link Problem}. Thread-safe.
 */
public final class ApiServer implements AutoCloseable {
  /** A job with the largest parameters, and then some. */
  public static final long MAX_BODY_BYTES = 4L << 20;

  static final int MAX_STREAMS = 100;

  /** The cookie that a signed-in browser carries. */
  public static final String SESSION_COOKIE = "millrace_session";

  private static final Logger LOG = LoggerFactory.getLogger(ApiServer.class);
  private static final int MAX_CONNECTIONS = 500;
  private static final Duration IDLE = Duration.ofSeconds(60);
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final String CONTENT_TYPE = "Content-Type";
  private static final String CALLER = "caller";

  /** The console's pages load from here alone, run no script that they do not come with. */
  private static final Map<String, String> SECURITY_HEADERS =
      Map.of(
          "Content-Security-Policy",
          "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self';"
              + " frame-ancestors 'none'",
          "X-Content-Type-Options",
          "nosniff",
          "X-Frame-Options",
          "DENY",
          "Referrer-Policy",
          "no-referrer",
          "Cache-Control",
          "no-store");

  /**
   * Where to listen.
   *
   * @param port 0 for any that is free
   * @param threads that answer
   * @param certificate PEM file; null for no TLS
   * @param key PEM file; null for no TLS
   */
  public record Listening(
      String host, int port, int threads, @Nullable Path certificate, @Nullable Path key) {}

  private final Listening listening;
  private final List<Route> routes;
  private final List<StaticFile> files;
  private final Doorkeeper doorkeeper;
  private final Codec codec;
  private final AtomicInteger streams = new AtomicInteger();
  private final AtomicInteger connections = new AtomicInteger();
  private final Vertx vertx;

  /**
   * @param routes what is asked
   * @param files what anybody gets
   * @param doorkeeper says who may ask
   */
  public ApiServer(
      Listening listening,
      List<Route> routes,
      List<StaticFile> files,
      Doorkeeper doorkeeper,
      Codec codec) {
    this.listening = listening;
    this.routes = List.copyOf(routes);
    this.files = List.copyOf(files);
    this.doorkeeper = doorkeeper;
    this.codec = codec;
    this.vertx =
        Vertx.vertx(
            new VertxOptions()
                .setEventLoopPoolSize(1)
                .setWorkerPoolSize(listening.threads())
                .setInternalBlockingPoolSize(1)
                .setUseDaemonThread(true)
                .setFileSystemOptions(
                    new FileSystemOptions()
                        .setClassPathResolvingEnabled(false)
                        .setFileCachingEnabled(false)));
  }

  /**
   * Starts to listen.
   *
   * @return the port
   * @throws IllegalStateException if it cannot; naming the file if the certificate or the key is
   *     not one
   */
  public int start() {
    HttpServerOptions options =
        new HttpServerOptions()
            .setHost(listening.host())
            .setPort(listening.port())
            .setIdleTimeout((int) IDLE.toSeconds())
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
    HttpServer starting =
        vertx
            .createHttpServer(options)
            .requestHandler(router())
            .connectionHandler(
                connection -> {
                  connection.closeHandler(gone -> connections.decrementAndGet());
                  if (connections.incrementAndGet() > MAX_CONNECTIONS) {
                    Future<Void> unused = connection.close();
                  }
                });
    String where = listening.host() + ":" + listening.port();
    try {
      return starting
          .listen()
          .toCompletionStage()
          .toCompletableFuture()
          .get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
          .actualPort();
    } catch (ExecutionException e) {
      throw new IllegalStateException(
          "cannot listen for operators at " + where + ": " + e.getMessage(), e);
    } catch (TimeoutException e) {
      throw new IllegalStateException("cannot listen for operators at " + where, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while it began to listen at " + where, e);
    }
  }

  private Router router() {
    Router router = Router.router(vertx);
    router
        .route()
        .handler(
            context -> {
              SECURITY_HEADERS.forEach(context.response()::putHeader);
              context.next();
            });
    routes.forEach(route -> add(router, route));
    StaticFiles.add(router, files);
    router.errorHandler(
        Problem.Kind.NOT_FOUND.status(),
        context ->
            refuse(context, Problem.Kind.NOT_FOUND.with("there is nothing at " + path(context))));
    router.errorHandler(
        Problem.Kind.METHOD_NOT_ALLOWED.status(),
        context ->
            refuse(
                context,
                Problem.Kind.METHOD_NOT_ALLOWED.with(
                    path(context) + " does not take " + context.request().method())));
    return router;
  }

  private static String path(RoutingContext context) {
    return Param.shown(context.normalizedPath());
  }

  private void add(Router router, Route route) {
    String template = route.path().replace("{", ":").replace("}", "");
    router
        .route(HttpMethod.valueOf(route.method().name()), template)
        .handler((SecurityPolicyHandler) context -> admit(route, context))
        .handler(BodyHandler.create(false).setBodyLimit(MAX_BODY_BYTES))
        .handler(context -> answer(route, context))
        .failureHandler(context -> refuse(context, problemOf(context)));
  }

  /** The body stays where it is until somebody is known who may send it. */
  private void admit(Route route, RoutingContext context) {
    Credentials credentials = Requests.credentials(context.request());
    Role needed = route.role();
    if (needed == null) {
      context.put(CALLER, new Caller("", Role.VIEW, credentials.address()));
      context.next();
      return;
    }
    context.request().pause();
    vertx
        .executeBlocking(
            () -> doorkeeper.admit(credentials, route.method().isChange(), needed), false)
        .onComplete(
            admitted -> {
              if (admitted.succeeded()) {
                context.put(CALLER, admitted.result());
                context.next();
              } else {
                context.fail(admitted.cause());
              }
              context.request().resume();
            });
  }

  private void answer(Route route, RoutingContext context) {
    Caller caller = context.get(CALLER);
    Credentials credentials = Requests.credentials(context.request());
    byte[] body = bodyOf(context);
    Route.Streamer streamer = route.streamer();
    if (streamer != null) {
      vertx
          .executeBlocking(
              () -> {
                Call call = new Requests(route, codec).read(context, caller, credentials, body);
                streamer.check(call);
                return call;
              },
              false)
          .onComplete(
              checked -> {
                if (checked.succeeded()) {
                  stream(route, streamer, context, checked.result());
                } else {
                  context.fail(checked.cause());
                }
              });
      return;
    }
    vertx
        .executeBlocking(() -> answer(route, context, caller, credentials, body), false)
        .onComplete(
            answered -> {
              if (answered.succeeded()) {
                send(context, answered.result());
              } else {
                context.fail(answered.cause());
              }
            });
  }

  private static byte[] bodyOf(RoutingContext context) {
    Buffer body = context.body().buffer();
    return body == null ? new byte[0] : body.getBytes();
  }

  private Reply answer(
      Route route, RoutingContext context, Caller caller, Credentials credentials, byte[] body)
      throws Exception {
    if (!route.method().isChange() || route.onlyLooks() || route.role() == null) {
      return replyOf(route, new Requests(route, codec).read(context, caller, credentials, body));
    }
    String detail =
        route.secret() || body.length == 0 ? null : new String(body, StandardCharsets.UTF_8);
    Doorkeeper.Outcome outcome =
        doorkeeper.asked(caller, route.operation(), context.request().path(), detail);
    try {
      Reply reply =
          replyOf(route, new Requests(route, codec).read(context, caller, credentials, body));
      outcome.is(reply.status(), null);
      return reply;
    } catch (Exception e) {
      Problem problem = problemOf(e);
      outcome.is(problem.status(), problem.detail());
      throw e;
    }
  }

  private static Reply replyOf(Route route, Call call) throws Exception {
    Route.Handler handler = Objects.requireNonNull(route.handler(), route.operation());
    Object answer = handler.answer(call);
    return answer instanceof Reply reply ? reply : Reply.of(route.status(), answer);
  }

  private void send(RoutingContext context, Reply reply) {
    HttpServerResponse response = context.response();
    if (response.closed()) {
      return;
    }
    response.setStatusCode(reply.status());
    if (reply.cookie() != null) {
      response.putHeader("Set-Cookie", reply.cookie());
    }
    if (reply.tag() != null) {
      response.putHeader("ETag", reply.tag());
    }
    Object content = reply.content();
    if (content == null) {
      Future<Void> unused = response.end();
      return;
    }
    byte[] bytes = content instanceof byte[] raw ? raw : codec.encode(content);
    Future<Void> unused =
        response.putHeader(CONTENT_TYPE, reply.mediaType()).end(Buffer.buffer(bytes));
  }

  private void stream(Route route, Route.Streamer streamer, RoutingContext context, Call call) {
    if (context.response().closed()) {
      return;
    }
    if (streams.incrementAndGet() > MAX_STREAMS) {
      streams.decrementAndGet();
      context.fail(
          Problem.Kind.UNAVAILABLE.because(
              "there are " + MAX_STREAMS + " readers of " + route.operation() + " and the like"));
      return;
    }
    ResponseEvents events = new ResponseEvents(context.response());
    events.closed().whenComplete((gone, failure) -> streams.decrementAndGet());
    context.response().setChunked(true).putHeader(CONTENT_TYPE, "text/event-stream");
    streamer.stream(call, events);
  }

  /** What is left of the request is read and thrown away, so that the answer arrives. */
  private void refuse(RoutingContext context, Problem problem) {
    HttpServerResponse response = context.response();
    if (response.ended() || response.closed()) {
      return;
    }
    if (response.headWritten()) {
      response.reset();
      return;
    }
    response.setStatusCode(problem.status()).putHeader(CONTENT_TYPE, Problem.MEDIA_TYPE);
    if (problem.status() == Problem.Kind.UNAUTHENTICATED.status()) {
      response.putHeader("WWW-Authenticate", "Bearer realm=\"millrace\"");
    }
    if (problem.status() == Problem.Kind.UNAVAILABLE.status()) {
      response.putHeader("Retry-After", "1");
    }
    Future<Void> unused = response.end(Buffer.buffer(codec.encode(problem)));
  }

  private static Problem problemOf(RoutingContext context) {
    Throwable failure = context.failure();
    int status = context.statusCode();
    if (status == Problem.Kind.TOO_LARGE.status()) {
      return Problem.Kind.TOO_LARGE.with(
          "the body is larger than " + (MAX_BODY_BYTES >> 20) + " MiB");
    }
    if (failure == null || failure instanceof io.vertx.ext.web.handler.HttpException) {
      return Problem.ofStatus(status)
          .with(failure == null ? "status " + status : String.valueOf(failure.getMessage()));
    }
    Problem problem = problemOf(failure);
    if (problem.status() == Problem.Kind.FAILED.status()) {
      LOG.error(
          "console: {} {} failed in a way that was not foreseen",
          context.request().method(),
          context.normalizedPath(),
          failure);
    }
    return problem;
  }

  private static Problem problemOf(Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    if (cause instanceof ProblemException known) {
      return known.problem();
    }
    if (cause instanceof CodecException) {
      return Problem.Kind.BAD_REQUEST.with(String.valueOf(cause.getMessage()));
    }
    return FailureProblems.of(cause);
  }

  /** Ends every connection and every thread. Idempotent. */
  @Override
  public void close() {
    try {
      Void unused =
          vertx
              .close()
              .toCompletionStage()
              .toCompletableFuture()
              .get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      LOG.warn("console: did not close cleanly", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
