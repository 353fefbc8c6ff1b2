@NullMarked
package dev.satchel.runner;

import org.jspecify.annotations.NullMarked;
