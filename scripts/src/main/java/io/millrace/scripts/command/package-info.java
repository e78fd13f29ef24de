/** The subcommands: each reads its options, does one thing, and says what it did in a line. */
@NullMarked
package io.millrace.scripts.command;

import org.jspecify.annotations.NullMarked;
