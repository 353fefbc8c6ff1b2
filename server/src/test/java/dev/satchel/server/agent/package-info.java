@NullMarked
package dev.satchel.server.agent;

import org.jspecify.annotations.NullMarked;
