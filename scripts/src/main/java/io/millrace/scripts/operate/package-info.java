/**
 * The subcommands for operators: each sends requests to a tracker's API and shows the responses.
 */
@NullMarked
package io.millrace.scripts.operate;

import org.jspecify.annotations.NullMarked;
