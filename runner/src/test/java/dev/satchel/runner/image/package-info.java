@NullMarked
package dev.satchel.runner.image;

import org.jspecify.annotations.NullMarked;
