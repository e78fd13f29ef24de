/**
 * What a worker measures, in a registry that the application gives. {@code WorkerMeters} is the
 * only class of the worker that needs Micrometer: without a registry it is not loaded, and the
 * library need not be there.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.tasktracker.metrics;
