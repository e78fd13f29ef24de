/** Executors and threads of a worker. */
@NullMarked
package io.millrace.tasktracker.threads;

import org.jspecify.annotations.NullMarked;
