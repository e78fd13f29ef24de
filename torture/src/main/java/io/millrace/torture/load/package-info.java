/** What the clients of a run submit, and what the bodies do: a seed decides all of it. */
@org.jspecify.annotations.NullMarked
package io.millrace.torture.load;
