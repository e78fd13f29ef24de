/**
 * What the software of trackers knows, and what jobs need of it. Pure: no I/O, no threads, no
 * clock.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.domain.feature;
