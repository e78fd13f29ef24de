/** Routes of trackers, workers and node groups, of health and figures. */
@org.jspecify.annotations.NullMarked
package io.millrace.console.api.fleet;
