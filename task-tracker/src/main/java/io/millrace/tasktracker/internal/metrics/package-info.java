/**
 * The meters of a worker, in a registry that the application provides. {@code WorkerMeters} is the
 * only class of the worker that needs Micrometer: without a registry it is not loaded, and the
 * library may be absent.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.tasktracker.internal.metrics;
