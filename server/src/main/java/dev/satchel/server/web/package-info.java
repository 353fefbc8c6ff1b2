/** The web page of {@code web/} and the settings that it reads first. */
@NullMarked
package dev.satchel.server.web;

import org.jspecify.annotations.NullMarked;
