/** The node that hands jobs in and hears what became of them. */
@NullMarked
package io.millrace.jobclient;

import org.jspecify.annotations.NullMarked;
