/** MCP servers of an agent: their connections, their tools and what these return. */
@NullMarked
package dev.satchel.runner.mcp;

import org.jspecify.annotations.NullMarked;
