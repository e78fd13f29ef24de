/** The tokens of JSON, read and written one after the other; what they mean is not known here. */
@org.jspecify.annotations.NullMarked
package io.millrace.internal.json;
