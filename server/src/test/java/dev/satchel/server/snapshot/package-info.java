@NullMarked
package dev.satchel.server.snapshot;

import org.jspecify.annotations.NullMarked;
