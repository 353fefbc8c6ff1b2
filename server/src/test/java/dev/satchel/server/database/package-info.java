@NullMarked
package dev.satchel.server.database;

import org.jspecify.annotations.NullMarked;
