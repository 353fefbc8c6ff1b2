/** What an agent may do: one small class per tool, one table of them. */
@NullMarked
package dev.satchel.runner.tool;

import org.jspecify.annotations.NullMarked;
