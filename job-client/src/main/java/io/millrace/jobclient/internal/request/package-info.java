/**
 * The common parts of all requests: the key of a job, ids, order by key, time-outs, back-off, and
 * the connection to a tracker. Depends on no other package of the client.
 */
@NullMarked
package io.millrace.jobclient.internal.request;

import org.jspecify.annotations.NullMarked;
