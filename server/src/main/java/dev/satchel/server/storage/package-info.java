/** The storage that a tenant uses. */
@NullMarked
package dev.satchel.server.storage;

import org.jspecify.annotations.NullMarked;
