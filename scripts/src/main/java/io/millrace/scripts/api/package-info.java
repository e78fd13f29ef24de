/**
 * Client of a tracker's HTTP API: a response is returned as text and as a record, an error as one
 * of the exceptions that decide the exit code.
 */
@NullMarked
package io.millrace.scripts.api;

import org.jspecify.annotations.NullMarked;
