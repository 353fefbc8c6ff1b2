@NullMarked
package dev.satchel.server.dialect;

import org.jspecify.annotations.NullMarked;
