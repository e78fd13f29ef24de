package io.millrace.api;

/**
 * The clock, threads and network of a client or worker, for a program that drives it by hand. By
 * default each has its own.
 *
 * <p>Opaque: {@code TestMillrace} of the test kit returns resources, and the builder of the client
 * or worker takes them. Applications do not implement this interface.
 */
public interface NodeResources {}
