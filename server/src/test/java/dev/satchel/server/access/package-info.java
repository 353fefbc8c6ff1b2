@NullMarked
package dev.satchel.server.access;

import org.jspecify.annotations.NullMarked;
