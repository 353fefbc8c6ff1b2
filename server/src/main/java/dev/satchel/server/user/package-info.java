/** People of tenants: invitations, roles, keys, and how they sign in. */
@NullMarked
package dev.satchel.server.user;

import org.jspecify.annotations.NullMarked;
