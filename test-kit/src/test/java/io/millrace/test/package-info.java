/** The test kit, used as the tests of an application use it. */
@org.jspecify.annotations.NullMarked
package io.millrace.test;
