/**
 * The journals of workers and clients, in which each line is written before its process continues.
 * The oracle compares the database with them.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.torture.journal;
