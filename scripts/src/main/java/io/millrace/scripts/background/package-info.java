/** Starts a node in a separate process, finds it by its pid file, and stops it. */
@NullMarked
package io.millrace.scripts.background;

import org.jspecify.annotations.NullMarked;
