@NullMarked
package dev.satchel.server.command;

import org.jspecify.annotations.NullMarked;
