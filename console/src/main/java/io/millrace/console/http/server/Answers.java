package io.millrace.console.http.server;

import io.millrace.console.http.Authenticator;
import io.millrace.console.http.Call;
import io.millrace.console.http.Caller;
import io.millrace.console.http.Credentials;
import io.millrace.console.http.Problem;
import io.millrace.console.http.Refusals.Reason;
import io.millrace.console.http.Reply;
import io.millrace.console.http.Route;
import io.millrace.console.http.Route.Trait;
import io.millrace.console.http.TextFile;
import io.millrace.jobtracker.store.console.Rights;
import io.millrace.jobtracker.store.console.Role;
import io.vertx.core.http.HttpClosedException;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import io.vertx.ext.web.handler.HttpException;
import io.vertx.ext.web.handler.SecurityPolicyHandler;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
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

  private final ServerParts parts;
  private final Connections connections;
  private final Sender sender;
  private final Streams streams;
  private final Downloads downloads;
  private final Shares bodies = new Shares(MAX_BODIES_BYTES, MAX_BODIES_BYTES_OF_A_CALLER);

  Answers(ServerParts parts) {
    this.parts = parts;
    this.connections = parts.connections();
    this.sender = parts.sender();
    this.streams = new Streams(parts);
    this.downloads = new Downloads(parts);
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
    Credentials credentials = Requests.credentials(request, parts.hosts());
    Role needed = route.role();
    if (needed == null) {
      receive(route, context, new Caller("", Rights.of(Role.VIEW), credentials.address()));
      return;
    }
    request.pause();
    sender.onConnection(request, connections::answering);
    parts
        .vertx()
        .executeBlocking(
            () -> parts.doorkeeper().admit(credentials, route.method().isChange(), needed), false)
        .onComplete(
            admitted -> {
              if (admitted.succeeded()) {
                sender.onConnection(
                    request,
                    (connection, now) -> {
                      connections.known(connection);
                      connections.receiving(connection, Entrance.bodyBytes(request), now);
                    });
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
        parts.refusals().refused(Reason.MEMORY);
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
    HttpServerRequest request = context.request();
    sender.onConnection(request, connections::answering);
    Requests received =
        new Requests(
            route,
            parts.codec(),
            context,
            context.get(CALLER),
            Requests.credentials(request, parts.hosts()));
    Route.Streamer streamer = route.streamer();
    if (streamer != null) {
      parts.blocking(
          context,
          () -> {
            Call call = received.read();
            streamer.check(call);
            return call;
          },
          call -> streams.begin(route, context, call));
    } else if (route.is(Trait.FROM_MEMORY)) {
      answerAtOnce(context, received);
    } else {
      parts.blocking(context, () -> answer(received), reply -> send(context, received, reply));
    }
  }

  private void send(RoutingContext context, Requests received, Reply reply) {
    if (reply.content() instanceof TextFile file) {
      downloads.begin(context, received.caller(), reply.mediaType(), file);
    } else {
      sender.send(context.request(), reply);
    }
  }

  /**
   * Answers on the event loop, so that the answer does not wait behind requests that wait for the
   * database.
   */
  private void answerAtOnce(RoutingContext context, Requests received) {
    try {
      sender.send(context.request(), answer(received));
    } catch (Exception e) {
      context.fail(e);
    }
  }

  private Reply answer(Requests received) throws Exception {
    Route route = received.route();
    if (!route.method().isChange() || route.is(Trait.ONLY_LOOKS) || route.role() == null) {
      return replyOf(route, received.read());
    }
    Authenticator.Outcome outcome =
        parts
            .doorkeeper()
            .asked(
                received.caller(),
                route.operation(),
                received.context().request().path(),
                route.is(Trait.SECRET_BODY) ? null : received.bodyText());
    try {
      Reply reply = replyOf(route, received.read());
      outcome.is(reply.status(), null);
      return reply;
    } catch (Exception e) {
      Problem problem = FailureProblems.of(e);
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
      Credentials credentials = Requests.credentials(request, parts.hosts());
      if (credentials.bearer() != null || route.role() == null) {
        delay = parts.wrongTokens().from(credentials.address(), parts.now().getAsLong());
      }
    }
    if (delay.isZero()) {
      sender.refuse(request, problem);
      return;
    }
    sender.onConnection(request, connections::heldBack);
    long unused = parts.vertx().setTimer(delay.toMillis(), due -> sender.refuse(request, problem));
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
    Problem problem = FailureProblems.of(failure);
    if (problem.status() == Problem.Kind.FAILED.status()) {
      LOG.error(
          "console: {} {} failed unexpectedly",
          context.request().method(),
          context.normalizedPath(),
          failure);
    }
    return problem;
  }
}
