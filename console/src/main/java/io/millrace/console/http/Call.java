package io.millrace.console.http;

import io.millrace.common.model.TraceContext;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A request to a route, with its parameters and body parsed and valid.
 *
 * @param values the values of its parameters, by name
 * @param body the decoded body; null if the route takes none
 * @param headers the headers that routes use and the request has
 */
public record Call(
    Caller caller,
    Map<String, Object> values,
    @Nullable Object body,
    Credentials credentials,
    Map<String, String> headers) {
  public static final String LAST_EVENT_ID = "Last-Event-ID";
  public static final String IF_MATCH = "If-Match";
  public static final String TRACE_PARENT = "traceparent";
  public static final String TRACE_STATE = "tracestate";

  /** The id of the last event that the client received, which it sends when it reconnects. */
  public Optional<String> lastEventId() {
    return Optional.ofNullable(headers.get(LAST_EVENT_ID));
  }

  /** The entity tag that the change is conditional on, if the request names one. */
  public Optional<String> ifMatch() {
    return Optional.ofNullable(headers.get(IF_MATCH)).map(String::trim);
  }

  /**
   * The trace that the request is part of. As W3C Trace Context requires, an invalid header counts
   * as missing.
   */
  public Optional<TraceContext> trace() {
    String parent = headers.get(TRACE_PARENT);
    if (parent == null) {
      return Optional.empty();
    }
    TraceContext withState = new TraceContext(parent, headers.get(TRACE_STATE));
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

  /** The body, for a route that takes a body of this type. */
  public <B> B body(Class<B> type) {
    return type.cast(Objects.requireNonNull(body, "the route needs a body"));
  }
}
