package dev.omlx.observe;

import java.time.Duration;
import org.hibernate.validator.constraints.time.DurationMin;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.validation.annotation.Validated;

/**
 * When the engine counts as dead.
 *
 * @param heartbeatTimeout how long the engine thread may give no sign of life before the server reports itself as down;
 *     longer than its longest step takes
 */
@Validated
@ConfigurationProperties("omlx.health")
record HealthProperties(
        @DefaultValue("60s") @DurationMin(millis = 1) Duration heartbeatTimeout) {}
