package example;

import io.headgate.config.DeviceConfig;
import io.headgate.config.key.Allowed;
import io.headgate.config.key.Key;
import io.headgate.config.key.Named;
import io.headgate.config.key.Quantity;
import io.headgate.config.key.Says;

/** Which frame comes again and again. */
@Named(
        value = "repeat",
        says = "A frame that comes again and again; what is transmitted is dropped.",
        allowed = "a mapping such as {frame: ffffffffffff0200000000011234, every: 1ms}")
public record RepeatConfig(
        @Key(pattern = "^([0-9a-f]{2}){14,1514}$")
                @Says("The frame without FCS, as hexadecimal digits; a short one is padded.")
                @Allowed("14 to 1514 bytes of two digits each, such as ffffffffffff020000000001…")
                String frame,
        @Key(quantity = Quantity.DURATION, min = "10us", max = "10s", absent = "1ms")
                @Says("So often it comes.")
                long everyNs)
        implements DeviceConfig {}
