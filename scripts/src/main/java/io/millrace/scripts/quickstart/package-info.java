/**
 * A complete cluster in one process, connected over loopback, that runs one job of each kind. It
 * shows what the workers report and reads the success from the store.
 */
@NullMarked
package io.millrace.scripts.quickstart;

import org.jspecify.annotations.NullMarked;
