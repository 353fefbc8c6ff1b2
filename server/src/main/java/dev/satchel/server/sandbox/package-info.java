/** Where runs are dispatched to, behind one port. */
@org.jspecify.annotations.NullMarked
package dev.satchel.server.sandbox;
