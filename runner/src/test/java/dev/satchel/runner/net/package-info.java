@NullMarked
package dev.satchel.runner.net;

import org.jspecify.annotations.NullMarked;
