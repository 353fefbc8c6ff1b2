@NullMarked
package dev.satchel.server.testing;

import org.jspecify.annotations.NullMarked;
