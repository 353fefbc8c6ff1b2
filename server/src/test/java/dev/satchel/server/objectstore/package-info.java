@NullMarked
package dev.satchel.server.objectstore;

import org.jspecify.annotations.NullMarked;
