/** The versions of recurring jobs. */
@org.jspecify.annotations.NullMarked
package io.millrace.console.api.version;
