/** The page of {@code web/}, as it lies in our jar, and what it asks before anything else. */
@NullMarked
package dev.satchel.server.web;

import org.jspecify.annotations.NullMarked;
