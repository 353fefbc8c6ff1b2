@NullMarked
package dev.satchel.server.export;

import org.jspecify.annotations.NullMarked;
