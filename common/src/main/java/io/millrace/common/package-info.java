/** What at least two nodes use, and nothing else. */
@NullMarked
package io.millrace.common;

import org.jspecify.annotations.NullMarked;
