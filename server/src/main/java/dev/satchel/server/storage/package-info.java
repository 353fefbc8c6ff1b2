/** What a tenant's files come to, and where most of it lies. */
@NullMarked
package dev.satchel.server.storage;

import org.jspecify.annotations.NullMarked;
