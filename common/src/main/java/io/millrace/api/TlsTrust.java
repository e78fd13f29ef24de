package io.millrace.api;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The authorities that a caller trusts. The tracker's certificate must also name the host of the
 * address.
 *
 * @param certificates PEM file of the trusted authorities; null means those of the JVM
 */
public record TlsTrust(@Nullable Path certificates) {}
