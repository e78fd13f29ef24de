/** Jobs in a file: written, compared with those that live, and applied. */
@org.jspecify.annotations.NullMarked
package io.millrace.scripts.operate.file;
