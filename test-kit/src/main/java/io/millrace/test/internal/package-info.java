/** How a test drives a tracker, its workers and its clients. */
@NullMarked
package io.millrace.test.internal;

import org.jspecify.annotations.NullMarked;
