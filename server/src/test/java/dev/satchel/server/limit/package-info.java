@NullMarked
package dev.satchel.server.limit;

import org.jspecify.annotations.NullMarked;
