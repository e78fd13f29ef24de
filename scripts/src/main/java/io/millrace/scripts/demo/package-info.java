/** Job runners for demonstrations, and a listener for the start and the end of attempts. */
@NullMarked
package io.millrace.scripts.demo;

import org.jspecify.annotations.NullMarked;
