/** The directory an agent works in, and safe ways to read, write and fill it. */
@NullMarked
package dev.satchel.runner.workspace;

import org.jspecify.annotations.NullMarked;
