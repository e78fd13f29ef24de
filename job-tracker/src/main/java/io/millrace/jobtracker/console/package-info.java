/** The room that operators ask over HTTP: the API of version 1, who may use it, and who did. */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.console;
