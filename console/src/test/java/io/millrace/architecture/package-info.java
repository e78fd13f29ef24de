/**
 * Rules about the classes of all libraries, each held by a test that has also seen it fail on a
 * planted violation.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.architecture;
