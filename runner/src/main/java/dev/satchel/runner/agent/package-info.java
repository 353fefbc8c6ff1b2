/** Agents: they turn a prompt into tool calls and an answer. */
@NullMarked
package dev.satchel.runner.agent;

import org.jspecify.annotations.NullMarked;
