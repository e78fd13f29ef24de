/** How the parts of a client are put together. Internal. */
@NullMarked
package io.millrace.jobclient.wiring;

import org.jspecify.annotations.NullMarked;
