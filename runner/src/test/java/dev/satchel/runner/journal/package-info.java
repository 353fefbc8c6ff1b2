@NullMarked
package dev.satchel.runner.journal;

import org.jspecify.annotations.NullMarked;
