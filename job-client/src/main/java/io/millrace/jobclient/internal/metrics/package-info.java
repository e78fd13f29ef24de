/**
 * The meters of a client, in a registry that the application provides. This is the only package of
 * the client that needs Micrometer: without a registry no class of this package is loaded, and the
 * library may be absent.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.jobclient.internal.metrics;
