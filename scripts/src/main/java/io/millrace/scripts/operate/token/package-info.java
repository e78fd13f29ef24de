/** Commands about operators' tokens. */
@org.jspecify.annotations.NullMarked
package io.millrace.scripts.operate.token;
