@NullMarked
package dev.satchel.server.credential;

import org.jspecify.annotations.NullMarked;
