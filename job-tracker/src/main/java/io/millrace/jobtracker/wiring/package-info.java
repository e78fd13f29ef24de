/** Where the parts of a tracker are made, and nothing else happens. */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.wiring;
