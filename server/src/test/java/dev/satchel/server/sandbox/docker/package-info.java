@NullMarked
package dev.satchel.server.sandbox.docker;

import org.jspecify.annotations.NullMarked;
