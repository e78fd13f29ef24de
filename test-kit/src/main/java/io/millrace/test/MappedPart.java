package io.millrace.test;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A part that a handler has made, as {@link TestJobContext#mapped} tells it.
 *
 * @param handler the name of its handler; null means that of the run
 * @param params its parameters, as they are stored
 */
public record MappedPart(@Nullable String handler, Map<String, String> params) {}
