package io.millrace.common.rpc;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Whom a caller believes to be a tracker. The certificate must also name the host of the address.
 *
 * @param certificates PEM file of the authorities that are believed; null means those of the JVM
 */
public record TlsTrust(@Nullable Path certificates) {}
