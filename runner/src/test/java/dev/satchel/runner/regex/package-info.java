@NullMarked
package dev.satchel.runner.regex;

import org.jspecify.annotations.NullMarked;
