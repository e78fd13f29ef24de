package io.millrace.console.browser;

/** What is taken of a page. */
enum Picture {
  /** What the window shows. */
  WINDOW,
  /** All of it, also what one would have to scroll to. */
  WHOLE
}
