/**
 * What a client measures, in a registry that the application gives. The only package of the client
 * that needs Micrometer: without a registry nothing here is loaded, and the library need not be
 * there.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.jobclient.metrics;
