/** The output for people and programs: tables, details, unchanged API responses, and progress. */
@NullMarked
package io.millrace.scripts.output;

import org.jspecify.annotations.NullMarked;
