/** Job runners to try things with, and a watch that says when an attempt starts and ends. */
@NullMarked
package io.millrace.scripts.demo;

import org.jspecify.annotations.NullMarked;
