/** The tenant's durable files, saved on purpose. */
@NullMarked
package dev.satchel.server.asset;

import org.jspecify.annotations.NullMarked;
