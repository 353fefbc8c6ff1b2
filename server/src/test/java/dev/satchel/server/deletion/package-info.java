@NullMarked
package dev.satchel.server.deletion;

import org.jspecify.annotations.NullMarked;
