@NullMarked
package dev.satchel.server.configuration;

import org.jspecify.annotations.NullMarked;
