@NullMarked
package dev.satchel.server.share;

import org.jspecify.annotations.NullMarked;
