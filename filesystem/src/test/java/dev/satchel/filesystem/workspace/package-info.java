@NullMarked
package dev.satchel.filesystem.workspace;

import org.jspecify.annotations.NullMarked;
