/** The node that pulls due jobs and runs them. */
@NullMarked
package io.millrace.tasktracker;

import org.jspecify.annotations.NullMarked;
