/**
 * The clock, timer, threads and network of a client: {@link
 * io.millrace.jobclient.internal.resources.DefaultClientResources}, or those of a program that
 * drives a client by hand.
 */
@NullMarked
package io.millrace.jobclient.internal.resources;

import org.jspecify.annotations.NullMarked;
