/** The clock, timer, threads and network of a worker, for a program that drives it by hand. */
@NullMarked
package io.millrace.tasktracker.internal.resources;

import org.jspecify.annotations.NullMarked;
