/** The scenarios in their short form. */
@NullMarked
package dev.satchel.torture;

import org.jspecify.annotations.NullMarked;
