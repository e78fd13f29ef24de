/** What people and programs see: tables, details, the API's own words, and how far long work is. */
@NullMarked
package io.millrace.scripts.output;

import org.jspecify.annotations.NullMarked;
