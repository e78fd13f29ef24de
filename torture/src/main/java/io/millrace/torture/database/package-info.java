/** Where a run keeps its tables: database servers as processes of the run, or a file. */
@org.jspecify.annotations.NullMarked
package io.millrace.torture.database;
