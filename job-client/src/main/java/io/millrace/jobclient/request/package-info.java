/**
 * What requests of every kind share: the key of a job, ids, order by key, time-outs, back-off and
 * the connection to a tracker. Knows no other package of the client.
 */
@NullMarked
package io.millrace.jobclient.request;

import org.jspecify.annotations.NullMarked;
