@NullMarked
package dev.satchel.protocol;

import org.jspecify.annotations.NullMarked;
