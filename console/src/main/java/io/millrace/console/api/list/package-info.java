/** What routes of lists have in common. */
@org.jspecify.annotations.NullMarked
package io.millrace.console.api.list;
