@NullMarked
package dev.satchel.cli.output;

import org.jspecify.annotations.NullMarked;
