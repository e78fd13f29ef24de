/** What a caller may add to a tracker to watch it from within, for example to send alerts. */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.observe;
