@NullMarked
package dev.satchel.server.usage;

import org.jspecify.annotations.NullMarked;
