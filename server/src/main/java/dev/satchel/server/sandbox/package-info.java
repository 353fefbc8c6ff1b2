/** Where runs are dispatched to, behind one port. */
@NullMarked
package dev.satchel.server.sandbox;

import org.jspecify.annotations.NullMarked;
