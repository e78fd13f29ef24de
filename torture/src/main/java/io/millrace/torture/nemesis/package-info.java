/** What is done to whom and when: a plan that a seed decides, and the record of what was done. */
@org.jspecify.annotations.NullMarked
package io.millrace.torture.nemesis;
