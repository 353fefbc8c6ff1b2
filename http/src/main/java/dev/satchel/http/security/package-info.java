/** Secrets, bearer tokens and SHA-256. */
@NullMarked
package dev.satchel.http.security;

import org.jspecify.annotations.NullMarked;
