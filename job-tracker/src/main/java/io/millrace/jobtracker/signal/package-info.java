/** How rooms wake one another without knowing one another. */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.signal;
