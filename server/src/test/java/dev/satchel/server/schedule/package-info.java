@NullMarked
package dev.satchel.server.schedule;

import org.jspecify.annotations.NullMarked;
