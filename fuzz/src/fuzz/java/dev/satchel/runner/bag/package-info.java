@NullMarked
package dev.satchel.runner.bag;

import org.jspecify.annotations.NullMarked;
