@NullMarked
package dev.satchel.server.user;

import org.jspecify.annotations.NullMarked;
