@NullMarked
package dev.satchel.filesystem;

import org.jspecify.annotations.NullMarked;
