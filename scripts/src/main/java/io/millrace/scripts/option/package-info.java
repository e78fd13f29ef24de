/** Options and their values: parsed only here, with error messages that say what is valid. */
@NullMarked
package io.millrace.scripts.option;

import org.jspecify.annotations.NullMarked;
