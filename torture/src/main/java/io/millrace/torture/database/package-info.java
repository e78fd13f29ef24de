/** The databases of a run: server processes, or a file. */
@org.jspecify.annotations.NullMarked
package io.millrace.torture.database;
