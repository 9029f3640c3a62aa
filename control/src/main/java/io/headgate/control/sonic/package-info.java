/**
 * The {@code config_db.json} of a switch that runs SONiC becomes the configuration of a switch,
 * with a list of what was left out and why. Tables and fields are those of the public schema
 * (sonic-net/sonic-buildimage, src/sonic-yang-models/doc/Configuration.md); what buffer profiles
 * mean is that of SAI's saibuffer.h. Tables of a running switch in the columns that such a switch
 * has them in are here, too.
 */
@NullMarked
package io.headgate.control.sonic;

import org.jspecify.annotations.NullMarked;
