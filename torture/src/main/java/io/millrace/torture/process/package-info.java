/** The processes of a run: how they are started, killed and stopped, and what runs in them. */
@org.jspecify.annotations.NullMarked
package io.millrace.torture.process;
