@NullMarked
package dev.satchel.server.guide;

import org.jspecify.annotations.NullMarked;
