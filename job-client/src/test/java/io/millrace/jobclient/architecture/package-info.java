/** Rules that hold for the classes of the client. */
@NullMarked
package io.millrace.jobclient.architecture;

import org.jspecify.annotations.NullMarked;
