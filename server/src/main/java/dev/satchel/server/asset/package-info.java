/** Permanent files of tenants. */
@NullMarked
package dev.satchel.server.asset;

import org.jspecify.annotations.NullMarked;
