/**
 * Reads the ledger, the journals and the record of what was done to the run, and says which promise
 * was broken.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.torture.oracle;
