/**
 * Credentials that agents use to reach other services. Their values are stored encrypted, and are
 * given to runs only; no response to a caller contains one.
 */
@NullMarked
package dev.satchel.server.credential;

import org.jspecify.annotations.NullMarked;
