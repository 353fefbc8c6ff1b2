@NullMarked
package dev.satchel.server.turn;

import org.jspecify.annotations.NullMarked;
