/** What tenants and users may use: the limits, their defaults, and what is used of them. */
@NullMarked
package dev.satchel.server.limit;

import org.jspecify.annotations.NullMarked;
