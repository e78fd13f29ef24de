/** What every part of a running tracker is given, and what the parts tell one another. */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.engine;
