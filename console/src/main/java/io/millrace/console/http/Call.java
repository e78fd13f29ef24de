package io.millrace.console.http;

import io.millrace.api.TraceContext;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A request to a route, with its parameters and body parsed and valid.
 *
 * @param values the values of its parameters, by name
 * @param body the decoded body; null if the route takes none
 * @param header returns the value of a header by its name; null if the request has none
 * @param clientGone whether the connection of the request is closed, and its answer of no use
 */
public record Call(
    Caller caller,
    Map<String, Object> values,
    @Nullable Object body,
    Credentials credentials,
    Function<String, @Nullable String> header,
    BooleanSupplier clientGone) {

  /** The id of the last event that the client received, which it sends when it reconnects. */
  public Optional<String> lastEventId() {
    return Optional.ofNullable(header.apply("Last-Event-ID"));
  }

  /** The entity tag that the change is conditional on, if the request names one. */
  public Optional<String> ifMatch() {
    return Optional.ofNullable(header.apply("If-Match")).map(String::trim);
  }

  /** Whether the client has closed the connection, so that the answer is of no use any more. */
  public boolean isClientGone() {
    return clientGone.getAsBoolean();
  }

  /**
   * The trace that the request is part of. As W3C Trace Context requires, an invalid header counts
   * as missing.
   */
  public Optional<TraceContext> trace() {
    String parent = header.apply("traceparent");
    if (parent == null) {
      return Optional.empty();
    }
    TraceContext withState = new TraceContext(parent, header.apply("tracestate"));
    TraceContext trace = withState.fault() == null ? withState : new TraceContext(parent, null);
    return Optional.of(trace).filter(sound -> sound.fault() == null);
  }

  /** The value of a parameter that is required or has a default. */
  @SuppressWarnings("unchecked") // the value was read by the parameter's own form
  public <T> T get(Param<T> param) {
    return Objects.requireNonNull((T) values.get(param.name()), param.name());
  }

  /** The value of an optional parameter. */
  @SuppressWarnings("unchecked") // the value was read by the parameter's own form
  public <T> Optional<T> find(Param<T> param) {
    return Optional.ofNullable((T) values.get(param.name()));
  }

  /** This call with a value for a parameter that it lacks. */
  Call with(Param<String> param, String value) {
    Map<String, Object> more = new HashMap<>(values);
    more.put(param.name(), value);
    return new Call(caller, more, body, credentials, header, clientGone);
  }

  /** The body, for a route that takes a body of this type. */
  public <B> B body(Class<B> type) {
    return type.cast(Objects.requireNonNull(body, "the route needs a body"));
  }

  /** Contains no values: those of a body may be secret. */
  @Override
  public String toString() {
    return "call of " + caller;
  }
}
