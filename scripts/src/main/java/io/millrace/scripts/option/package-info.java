/** Options and their values: parsed once, here, with a message that says what would be right. */
@NullMarked
package io.millrace.scripts.option;

import org.jspecify.annotations.NullMarked;
