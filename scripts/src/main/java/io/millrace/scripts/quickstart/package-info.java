/**
 * A whole cluster in one process, over real connections on loopback, that shows one job of each
 * kind run. What it shows is what the workers saw; that it succeeded is read from the store.
 */
@NullMarked
package io.millrace.scripts.quickstart;

import org.jspecify.annotations.NullMarked;
