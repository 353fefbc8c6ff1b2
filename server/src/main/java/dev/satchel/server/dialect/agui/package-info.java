@NullMarked
package dev.satchel.server.dialect.agui;

import org.jspecify.annotations.NullMarked;
