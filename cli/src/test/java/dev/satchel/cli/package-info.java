@NullMarked
package dev.satchel.cli;

import org.jspecify.annotations.NullMarked;
