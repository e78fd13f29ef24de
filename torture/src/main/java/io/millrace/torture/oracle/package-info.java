/**
 * Reads the ledger, the journals and the record of faults, and decides which promises were broken.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.torture.oracle;
