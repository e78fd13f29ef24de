/**
 * The API of the client: submits jobs to a tracker and receives their results. The packages below
 * are internal, but for {@code resources}; none of them knows this one.
 */
@NullMarked
package io.millrace.jobclient;

import org.jspecify.annotations.NullMarked;
