@NullMarked
package dev.satchel.runner.model;

import org.jspecify.annotations.NullMarked;
