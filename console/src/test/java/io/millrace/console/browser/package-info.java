/**
 * Tests of the console in a real browser, as people use it: by what can be read, clicked and typed.
 * Each has the tag {@code browser}; docs/operating.md gets its pictures from here.
 */
@org.jspecify.annotations.NullMarked
package io.millrace.console.browser;
