/**
 * Calls that concern one job: cancel, pause, resume, run now, terminate, explain. A call is
 * repeated until it is answered or its time is over.
 */
@NullMarked
package io.millrace.jobclient.internal.calls;

import org.jspecify.annotations.NullMarked;
