@NullMarked
package dev.satchel.server.agentserver;

import org.jspecify.annotations.NullMarked;
