/** A node in a process of its own: started, found again by its pid file, and stopped. */
@NullMarked
package io.millrace.scripts.background;

import org.jspecify.annotations.NullMarked;
