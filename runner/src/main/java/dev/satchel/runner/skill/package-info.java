/** The skills of runs: fetched from the server once, and kept on this machine. */
@NullMarked
package dev.satchel.runner.skill;

import org.jspecify.annotations.NullMarked;
