@NullMarked
package dev.satchel.server.session;

import org.jspecify.annotations.NullMarked;
