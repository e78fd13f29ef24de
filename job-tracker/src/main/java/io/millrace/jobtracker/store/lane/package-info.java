/** What jobs require of workers, as it is stored. */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.store.lane;
