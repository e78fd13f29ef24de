/** The node that keeps the jobs and decides when each is due. */
@NullMarked
package io.millrace.jobtracker;

import org.jspecify.annotations.NullMarked;
