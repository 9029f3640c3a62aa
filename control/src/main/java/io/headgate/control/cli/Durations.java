package io.headgate.control.cli;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads durations such as {@code 500ms}, {@code 1s}, {@code 2.5s}, {@code 3m}, up to a day. */
public final class Durations implements ITypeConverter<Duration> {
    private static final Pattern FORM = Pattern.compile("([0-9]{1,9}(?:\\.[0-9]{1,9})?)(ms|s|m|h)");
    private static final long DAY_MS = 86_400_000;

    @Override
    public Duration convert(String text) {
        Matcher matcher = FORM.matcher(text);
        if (matcher.matches()) {
            long unitMs =
                    switch (matcher.group(2)) {
                        case "ms" -> 1;
                        case "s" -> 1_000;
                        case "m" -> 60_000;
                        default -> 3_600_000;
                    };
            BigDecimal ms = new BigDecimal(matcher.group(1)).multiply(BigDecimal.valueOf(unitMs));
            if (ms.signum() > 0
                    && ms.compareTo(BigDecimal.ONE) >= 0
                    && ms.compareTo(BigDecimal.valueOf(DAY_MS)) <= 0) {
                return Duration.ofMillis(ms.longValue());
            }
        }
        throw new TypeConversionException(
                "'" + text + "' is not a duration from 1ms to 24h, such as 500ms, 1s or 2m");
    }
}
