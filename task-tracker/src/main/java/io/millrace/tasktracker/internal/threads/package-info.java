/** Executors and threads of a worker. */
@NullMarked
package io.millrace.tasktracker.internal.threads;

import org.jspecify.annotations.NullMarked;
