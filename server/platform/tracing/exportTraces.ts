import { context, DiagLogLevel, diag, propagation, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node'

/** A stop doesn't wait longer for a collector. */
const PATIENCE = 2_000

/**
 * Sends the spans of this process to a collector, by OTLP over HTTP in JSON, as the variables of OpenTelemetry say
 * (`OTEL_…`). Loaded only where one is named.
 * @param onProblem told once if spans can't be sent
 * @returns sends what is left, and ends it
 */
export function exportTraces(onProblem: (text: string) => void): () => Promise<void> {
  let told = false
  const tell = (text: string) => {
    if (!told) onProblem(text)
    told = true
  }
  const silent = () => {}
  const logger = { error: tell, warn: tell, info: silent, debug: silent, verbose: silent }
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true })
  const resource = defaultResource()
    .merge(resourceFromAttributes({ 'service.name': 'parley' }))
    .merge(detectResources({ detectors: [envDetector] }))
  const spanProcessors = [new BatchSpanProcessor(new OTLPTraceExporter())]
  const provider = new NodeTracerProvider({ resource, spanProcessors })
  provider.register()
  return async () => {
    const late = new Promise<void>((done) => setTimeout(done, PATIENCE).unref())
    await Promise.race([provider.shutdown().catch(silent), late])
    for (const part of [trace, context, propagation, diag]) part.disable()
  }
}
