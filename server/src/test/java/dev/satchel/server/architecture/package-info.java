@NullMarked
package dev.satchel.server.architecture;

import org.jspecify.annotations.NullMarked;
