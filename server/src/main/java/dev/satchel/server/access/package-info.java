/** Authentication of callers: tenants, API keys, browser logins. */
@NullMarked
package dev.satchel.server.access;

import org.jspecify.annotations.NullMarked;
