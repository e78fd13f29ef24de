/** The context that every part of a running tracker receives, and the signals between the parts. */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.engine;
