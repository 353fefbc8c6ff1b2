package dev.satchel.runner.model;

import dev.satchel.http.outbound.OutboundHttpClient;
import dev.satchel.http.outbound.ReachableHosts;
import dev.satchel.protocol.RunConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Creates models that share an HTTP client. */
public final class ModelFactory {
    private final OperatorModels operator;
    private final Duration timeout;
    private final OutboundHttpClient http;
    private final OutboundHttpClient guarded;
    private final ReachableHosts reachableHosts;
    private final RetryPolicy retries;

    /**
     * @param operator the models of the operator
     * @param timeout how long a model may send nothing
     * @param guarded the client for endpoints that a run names
     * @param reachableHosts the private hosts that such an endpoint may be on
     */
    public ModelFactory(
            OperatorModels operator,
            Duration timeout,
            OutboundHttpClient http,
            OutboundHttpClient guarded,
            ReachableHosts reachableHosts,
            RetryPolicy retries) {
        this.operator = operator;
        this.timeout = timeout;
        this.http = http;
        this.guarded = guarded;
        this.reachableHosts = reachableHosts;
        this.retries = retries;
    }

    /** The model that a run names, or that of the operator; empty when there is neither. */
    public Optional<Model> find(RunConfig.@Nullable Model wanted) throws ModelException {
        if (wanted != null) {
            return Optional.of(open(ModelSettings.resolve(wanted, operator)));
        }
        return operator.standard().map(this::open);
    }

    /** The endpoint of the operator may be anywhere; one that a tenant names may not. */
    private ModelHttpClient client(ModelSettings settings) {
        String url = settings.baseUrl();
        boolean trusted =
                url == null
                        || settings.isFromRegistry()
                        || url.equals(operator.address(settings.provider()));
        return trusted
                ? new ModelHttpClient(http, timeout, EndpointPolicy.ANY, retries)
                : new ModelHttpClient(
                        guarded, timeout, EndpointPolicy.within(reachableHosts), retries);
    }

    private Model open(ModelSettings settings) {
        List<ModelCall> chain = new ArrayList<>();
        for (ModelSettings next = settings; next != null; next = next.options().fallback()) {
            chain.add(new ModelCall(next, client(next)));
        }
        return new Model(chain, retries);
    }
}
