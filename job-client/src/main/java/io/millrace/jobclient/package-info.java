/**
 * The API of the client: submits jobs to a tracker and receives their results. The packages below
 * are internal, except {@code resources}. None of them depends on this package.
 */
@NullMarked
package io.millrace.jobclient;

import org.jspecify.annotations.NullMarked;
