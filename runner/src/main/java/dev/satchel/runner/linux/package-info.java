/** Functions of the C library, for what Java does not offer. */
@NullMarked
package dev.satchel.runner.linux;

import org.jspecify.annotations.NullMarked;
