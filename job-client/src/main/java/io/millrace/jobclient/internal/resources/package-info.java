/**
 * The clock, timer, threads and network of a client. Public for programs that drive a client by
 * hand. All other programs use {@link
 * io.millrace.jobclient.internal.resources.DefaultClientResources}, which is the default.
 */
@NullMarked
package io.millrace.jobclient.internal.resources;

import org.jspecify.annotations.NullMarked;
