/** The processes of a run: how they are started, killed and stopped, and their main classes. */
@org.jspecify.annotations.NullMarked
package io.millrace.torture.process;
