@NullMarked
package dev.satchel.server.storage;

import org.jspecify.annotations.NullMarked;
