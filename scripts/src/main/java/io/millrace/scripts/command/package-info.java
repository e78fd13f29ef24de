/** The subcommands: each reads its options, performs one action, and reports it in a line. */
@NullMarked
package io.millrace.scripts.command;

import org.jspecify.annotations.NullMarked;
