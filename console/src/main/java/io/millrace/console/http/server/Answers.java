package io.millrace.console.http.server;

import io.millrace.common.codec.CodecException;
import io.millrace.common.codec.JsonCodec;
import io.millrace.common.lifecycle.Completions;
import io.millrace.console.http.Authenticator;
import io.millrace.console.http.Call;
import io.millrace.console.http.Caller;
import io.millrace.console.http.Credentials;
import io.millrace.console.http.HostRules;
import io.millrace.console.http.Problem;
import io.millrace.console.http.ProblemException;
import io.millrace.console.http.Refusals;
import io.millrace.console.http.Refusals.Reason;
import io.millrace.console.http.Reply;
import io.millrace.console.http.Route;
import io.millrace.jobtracker.store.console.Role;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClosedException;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import io.vertx.ext.web.handler.HttpException;
import io.vertx.ext.web.handler.SecurityPolicyHandler;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers the requests to routes. Authenticates the caller before reading the body. Bounds the
 * memory of bodies, in total and per caller. Answers failures with a {@link Problem}.
 */
final class Answers {
  /** The most bytes of bodies that are being received or answered. */
  static final long MAX_BODIES_BYTES = 32L << 20;

  static final long MAX_BODIES_BYTES_OF_A_CALLER = 16L << 20;

  private static final Logger LOG = LoggerFactory.getLogger(Answers.class);
  private static final String CALLER = "caller";
  private static final String RECEIVING = "receiving";

  private final Vertx vertx;
  private final Authenticator doorkeeper;
  private final HostRules hosts;
  private final JsonCodec codec;
  private final Connections connections;
  private final Sender sender;
  private final Streams streams;
  private final Refusals refusals;
  private final LongSupplier now;
  private final Shares bodies = new Shares(MAX_BODIES_BYTES, MAX_BODIES_BYTES_OF_A_CALLER);
  private final WrongTokens wrongTokens;

  Answers(ServerParts parts) {
    this.vertx = parts.vertx();
    this.doorkeeper = parts.doorkeeper();
    this.hosts = parts.hosts();
    this.codec = parts.codec();
    this.connections = parts.connections();
    this.sender = parts.sender();
    this.streams = new Streams(parts);
    this.refusals = parts.refusals();
    this.now = parts.now();
    this.wrongTokens = parts.wrongTokens();
  }

  void add(Router router, Route route) {
    String template = route.path().replace("{", ":").replace("}", "");
    router
        .route(HttpMethod.valueOf(route.method().name()), template)
        .handler((SecurityPolicyHandler) context -> admit(route, context))
        .handler(BodyHandler.create(false).setBodyLimit(route.largestBody()))
        .handler(context -> answer(route, context))
        .failureHandler(context -> refuse(route, context));
  }

  /** Authenticates the caller. The body is not read before that. */
  private void admit(Route route, RoutingContext context) {
    HttpServerRequest request = context.request();
    Credentials credentials = Requests.credentials(request, hosts);
    Role needed = route.role();
    if (needed == null) {
      receive(route, context, new Caller("", Role.VIEW, credentials.address()));
      return;
    }
    request.pause();
    Connection connection = sender.connectionOf(request);
    if (connection != null) {
      connections.answering(connection, now.getAsLong());
    }
    vertx
        .executeBlocking(
            () -> doorkeeper.admit(credentials, route.method().isChange(), needed), false)
        .onComplete(
            admitted -> {
              if (admitted.succeeded()) {
                if (connection != null) {
                  connections.known(connection);
                  connections.receiving(connection, Entrance.bodyBytes(request), now.getAsLong());
                }
                receive(route, context, admitted.result());
              } else {
                context.fail(admitted.cause());
              }
              request.resume();
            });
  }

  /**
   * Reserves memory for the body and receives it. A body counts with its announced length, or as
   * the largest allowed if it announces none.
   */
  private void receive(Route route, RoutingContext context, Caller caller) {
    context.put(CALLER, caller);
    String owner = caller.name().isEmpty() ? caller.address() : caller.name();
    long bytes = Math.min(Entrance.bodyBytes(context.request()), route.largestBody());
    if (bytes > 0) {
      Optional<Runnable> taken = bodies.take(owner, bytes);
      if (taken.isEmpty()) {
        refusals.refused(Reason.MEMORY);
        context.fail(
            Problem.Kind.UNAVAILABLE.because("too many large requests are being received"));
        return;
      }
      int unused = context.addEndHandler(ended -> taken.get().run());
    }
    context.put(RECEIVING, true);
    context.next();
  }

  private void answer(Route route, RoutingContext context) {
    Object unused = context.remove(RECEIVING);
    Connection connection = sender.connectionOf(context.request());
    if (connection != null) {
      connections.answering(connection, now.getAsLong());
    }
    Caller caller = context.get(CALLER);
    Credentials credentials = Requests.credentials(context.request(), hosts);
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
                  streams.begin(route, context, checked.result());
                } else {
                  context.fail(checked.cause());
                }
              });
    } else if (route.fromMemory()) {
      answerAtOnce(route, context, caller, credentials, body);
    } else {
      vertx
          .executeBlocking(() -> answer(route, context, caller, credentials, body), false)
          .onComplete(
              answered -> {
                if (answered.succeeded()) {
                  sender.send(context.request(), answered.result());
                } else {
                  context.fail(answered.cause());
                }
              });
    }
  }

  /**
   * Answers on the event loop, so that the answer does not wait behind requests that wait for the
   * database.
   */
  private void answerAtOnce(
      Route route, RoutingContext context, Caller caller, Credentials credentials, byte[] body) {
    try {
      sender.send(context.request(), answer(route, context, caller, credentials, body));
    } catch (Exception e) {
      context.fail(e);
    }
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
    Authenticator.Outcome outcome =
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

  /**
   * Rejects a request. After many wrong tokens from an address, the rejection is delayed, and
   * during the delay the connection is the first to be closed if others need room.
   */
  private void refuse(Route route, RoutingContext context) {
    if (context.failure() instanceof HttpClosedException) {
      return; // the client closed the connection during its request
    }
    if (isOfTheBody(context)) {
      sender.refuseAndClose(
          context.request(), Problem.Kind.BAD_REQUEST.with("the body is malformed"));
      return;
    }
    Problem problem = problemOf(route, context);
    HttpServerRequest request = context.request();
    Duration delay = Duration.ZERO;
    if (problem.status() == Problem.Kind.UNAUTHENTICATED.status()) {
      Credentials credentials = Requests.credentials(request, hosts);
      boolean guessed = credentials.bearer() != null || route.role() == null;
      delay = guessed ? wrongTokens.from(credentials.address(), now.getAsLong()) : Duration.ZERO;
    }
    if (delay.isZero()) {
      sender.refuse(request, problem);
      return;
    }
    Connection connection = sender.connectionOf(request);
    if (connection != null) {
      connections.heldBack(connection, now.getAsLong());
    }
    long unused = vertx.setTimer(delay.toMillis(), due -> sender.refuse(request, problem));
  }

  /**
   * Whether the body is malformed. While a body is received, no code of this server runs, so any
   * failure then is one of the body's encoding.
   */
  private static boolean isOfTheBody(RoutingContext context) {
    return context.get(RECEIVING) != null
        && context.failure() != null
        && !(context.failure() instanceof HttpException);
  }

  private static Problem problemOf(Route route, RoutingContext context) {
    Throwable failure = context.failure();
    int status = context.statusCode();
    if (status == Problem.Kind.TOO_LARGE.status()) {
      return Problem.Kind.TOO_LARGE.with(
          "the body exceeds the limit of " + (route.largestBody() >> 10) + " KiB");
    }
    if (failure == null || failure instanceof HttpException) {
      return Problem.ofStatus(status)
          .with(failure == null ? "status " + status : String.valueOf(failure.getMessage()));
    }
    Problem problem = problemOf(failure);
    if (problem.status() == Problem.Kind.FAILED.status()) {
      LOG.error(
          "console: {} {} failed unexpectedly",
          context.request().method(),
          context.normalizedPath(),
          failure);
    }
    return problem;
  }

  static Problem problemOf(@Nullable Throwable failure) {
    Throwable cause = Completions.causeOf(Objects.requireNonNull(failure));
    if (cause instanceof ProblemException known) {
      return known.problem();
    }
    if (cause instanceof CodecException) {
      return Problem.Kind.BAD_REQUEST.with(String.valueOf(cause.getMessage()));
    }
    return FailureProblems.of(cause);
  }
}
