/** Commands about bulk changes. */
@org.jspecify.annotations.NullMarked
package io.millrace.scripts.operate.bulk;
