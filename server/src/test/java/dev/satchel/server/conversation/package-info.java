@NullMarked
package dev.satchel.server.conversation;

import org.jspecify.annotations.NullMarked;
