package io.millrace.console.browser;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * For test classes that need a browser: their methods are given an {@link Operator}. After each of
 * them nothing may be in the browser's log that should not be there.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Tag("browser")
@Timeout(120)
@ExtendWith(BrowserExtension.class)
@interface InBrowser {}
