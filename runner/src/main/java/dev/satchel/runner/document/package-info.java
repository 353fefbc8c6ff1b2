/** Reads documents behind walls: a process in a sandbox of its own, and a cache of what it read. */
@NullMarked
package dev.satchel.runner.document;

import org.jspecify.annotations.NullMarked;
