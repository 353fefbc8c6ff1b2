@NullMarked
package dev.satchel.server.dialect.aisdk;

import org.jspecify.annotations.NullMarked;
