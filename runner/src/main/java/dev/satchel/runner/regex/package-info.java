/** Regexes over bytes: tells quickly which lines cannot match. */
@NullMarked
package dev.satchel.runner.regex;

import org.jspecify.annotations.NullMarked;
