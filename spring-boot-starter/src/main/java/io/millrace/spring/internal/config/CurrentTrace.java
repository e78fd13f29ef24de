package io.millrace.spring.internal.config;

import io.millrace.api.TraceContext;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Returns the trace of the calling thread, or null. */
@FunctionalInterface
public interface CurrentTrace extends Supplier<@Nullable TraceContext> {}
