/**
 * What workers and clients write down for themselves, each line in the file before its writer goes
 * on: what a database says is held against it.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.torture.journal;
