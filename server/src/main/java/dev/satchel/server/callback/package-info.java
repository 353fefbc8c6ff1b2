@NullMarked
package dev.satchel.server.callback;

import org.jspecify.annotations.NullMarked;
