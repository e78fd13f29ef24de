/** The command line of the torture run. */
@org.jspecify.annotations.NullMarked
package io.millrace.torture.command;
