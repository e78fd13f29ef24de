/** Files that other users of a machine must not read. */
@org.jspecify.annotations.NullMarked
package io.millrace.internal.files;
