/** Creates and connects the parts of a tracker; contains no other logic. */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.wiring;
