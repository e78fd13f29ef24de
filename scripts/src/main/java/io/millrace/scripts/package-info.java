/** The command line that starts the nodes. */
@NullMarked
package io.millrace.scripts;

import org.jspecify.annotations.NullMarked;
