@NullMarked
package dev.satchel.server.migrate;

import org.jspecify.annotations.NullMarked;
