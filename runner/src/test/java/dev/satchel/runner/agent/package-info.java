@NullMarked
package dev.satchel.runner.agent;

import org.jspecify.annotations.NullMarked;
