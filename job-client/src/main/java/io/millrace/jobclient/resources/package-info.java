/**
 * What a client runs on: its clock, timer, threads and network. Public, for programs that drive a
 * client by hand; all others leave it to {@link
 * io.millrace.jobclient.resources.DefaultClientResources}.
 */
@NullMarked
package io.millrace.jobclient.resources;

import org.jspecify.annotations.NullMarked;
