/** Saved agents and the headless runs made from them. */
@NullMarked
package dev.satchel.server.agent;

import org.jspecify.annotations.NullMarked;
