/** Bulk changes: their routes, and how the tracker makes them. */
@org.jspecify.annotations.NullMarked
package io.millrace.console.api.bulk;
