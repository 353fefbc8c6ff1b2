@NullMarked
package dev.satchel.server.backup;

import org.jspecify.annotations.NullMarked;
