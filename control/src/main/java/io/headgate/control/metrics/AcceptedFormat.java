package io.headgate.control.metrics;

import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.OpenMetricsTextFormatWriter;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Chooses the text format that a scraper asks for. Its header Accept is a list of formats, each
 * with a weight (RFC 9110, 12.5.1). The result is the served format with the highest weight, the
 * first one among equals; without any, the plain text format, which every scraper reads.
 */
final class AcceptedFormat {
    private static final Pattern COMMA = Pattern.compile(",");
    private static final Pattern SEMICOLON = Pattern.compile(";");

    private final ExpositionFormatWriter text = PrometheusTextFormatWriter.create();
    private final ExpositionFormatWriter openMetrics = OpenMetricsTextFormatWriter.create();

    /**
     * The writer of the chosen format.
     *
     * @param accept values of all Accept headers of the request
     */
    ExpositionFormatWriter of(List<String> accept) {
        ExpositionFormatWriter best = text;
        double most = 0;
        for (String form : COMMA.split(String.join(",", accept))) {
            String[] parts = SEMICOLON.split(form, -1);
            double weight = weight(parts);
            ExpositionFormatWriter served =
                    switch (parts[0].strip().toLowerCase(Locale.ROOT)) {
                        case "application/openmetrics-text" -> openMetrics;
                        case "text/plain", "text/*", "*/*" -> text;
                        default -> null;
                    };
            if (served != null && weight > most) {
                best = served;
                most = weight;
            }
        }
        return best;
    }

    private static double weight(String[] parts) {
        for (int i = 1; i < parts.length; i++) {
            String parameter = parts[i].strip();
            if (parameter.regionMatches(true, 0, "q=", 0, 2)) {
                try {
                    return Double.parseDouble(parameter.substring(2));
                } catch (NumberFormatException notOne) {
                    return 0;
                }
            }
        }
        return 1;
    }
}
