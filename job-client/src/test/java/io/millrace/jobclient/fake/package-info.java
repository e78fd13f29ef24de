/** A tracker that does what a test tells it to. */
@NullMarked
package io.millrace.jobclient.fake;

import org.jspecify.annotations.NullMarked;
