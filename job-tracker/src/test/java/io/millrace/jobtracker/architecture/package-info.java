/**
 * The rules of the house, each kept by a test that has also seen it fail on a planted violation.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.jobtracker.architecture;
