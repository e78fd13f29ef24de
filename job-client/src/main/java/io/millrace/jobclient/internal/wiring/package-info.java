/** The assembly of the parts of a client. Internal. */
@NullMarked
package io.millrace.jobclient.internal.wiring;

import org.jspecify.annotations.NullMarked;
