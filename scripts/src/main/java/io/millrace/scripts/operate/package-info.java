/** The subcommands of operators: each asks a tracker's API, and shows what it answered. */
@NullMarked
package io.millrace.scripts.operate;

import org.jspecify.annotations.NullMarked;
