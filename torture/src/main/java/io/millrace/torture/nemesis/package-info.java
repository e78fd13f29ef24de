/** The fault plan, which a seed determines, its execution, and the record of the faults. */
@org.jspecify.annotations.NullMarked
package io.millrace.torture.nemesis;
