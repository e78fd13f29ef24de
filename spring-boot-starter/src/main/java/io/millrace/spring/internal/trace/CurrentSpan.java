package io.millrace.spring.internal.trace;

import io.micrometer.tracing.Span;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.propagation.Propagator;
import io.millrace.api.TraceContext;
import io.millrace.spring.internal.config.CurrentTrace;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The span of the calling thread, in the form that jobs have. Thread-safe. */
final class CurrentSpan implements CurrentTrace {
  private static final int TRACE_ID_CHARS = 32;

  private final Tracer tracer;
  private final Propagator propagator;

  CurrentSpan(Tracer tracer, Propagator propagator) {
    this.tracer = tracer;
    this.propagator = propagator;
  }

  @Override
  public @Nullable TraceContext get() {
    Span span = tracer.currentSpan();
    if (span == null) {
      return null;
    }
    Map<String, String> headers = new HashMap<>();
    propagator.inject(
        span.context(), headers, (to, name, value) -> to.put(name.toLowerCase(Locale.ROOT), value));
    String parent = headers.get("traceparent");
    TraceContext trace =
        parent == null
            ? ofIds(span.context())
            : new TraceContext(parent, headers.get("tracestate"));
    return trace.fault() == null ? trace : null;
  }

  /** Returns the trace of an application that tells others of it in another form, such as B3. */
  private static TraceContext ofIds(io.micrometer.tracing.TraceContext ids) {
    String traceId = ids.traceId();
    String padded = "0".repeat(Math.max(0, TRACE_ID_CHARS - traceId.length())) + traceId;
    String flags = Boolean.TRUE.equals(ids.sampled()) ? "01" : "00";
    return new TraceContext("00-" + padded + "-" + ids.spanId() + "-" + flags, null);
  }
}
