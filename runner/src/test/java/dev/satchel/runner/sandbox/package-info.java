@NullMarked
package dev.satchel.runner.sandbox;

import org.jspecify.annotations.NullMarked;
