@NullMarked
package dev.satchel.filesystem.linux;

import org.jspecify.annotations.NullMarked;
