/**
 * Stores, replaces and cancels jobs. A task id has one living job at most: a submit inserts into
 * the waiting table first, where the unique key holds off every other, and only then looks whether
 * the task id lives elsewhere.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.submit;
