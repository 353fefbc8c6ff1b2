/** Reads the settings of the server from flags and variables. */
@NullMarked
package dev.satchel.server.configuration;

import org.jspecify.annotations.NullMarked;
