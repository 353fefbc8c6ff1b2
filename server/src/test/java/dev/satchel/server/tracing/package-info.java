@NullMarked
package dev.satchel.server.tracing;

import org.jspecify.annotations.NullMarked;
