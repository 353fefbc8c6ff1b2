@NullMarked
package dev.satchel.runner.run;

import org.jspecify.annotations.NullMarked;
