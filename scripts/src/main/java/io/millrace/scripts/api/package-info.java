/**
 * A tracker's API over HTTP, as a program asks it: an answer comes back as the text that was
 * answered and as a record, a refusal as one of the exceptions that decide the exit code.
 */
@NullMarked
package io.millrace.scripts.api;

import org.jspecify.annotations.NullMarked;
