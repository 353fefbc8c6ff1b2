@NullMarked
package dev.satchel.tools.grep;

import org.jspecify.annotations.NullMarked;
