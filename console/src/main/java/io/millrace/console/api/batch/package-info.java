/** Batches over HTTP: runs that were split, and their parts. */
@org.jspecify.annotations.NullMarked
package io.millrace.console.api.batch;
