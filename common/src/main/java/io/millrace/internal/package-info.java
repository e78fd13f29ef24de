/** What at least two nodes use, and nothing else. */
@NullMarked
package io.millrace.internal;

import org.jspecify.annotations.NullMarked;
