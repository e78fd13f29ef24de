/** Routes for trackers, workers, node groups, health and statistics. */
@org.jspecify.annotations.NullMarked
package io.millrace.console.api.fleet;
