// Sends the trace of a run to an OpenTelemetry collector, as OTLP over HTTP in JSON. Configured by the standard environment
// variables (OTEL_EXPORTER_OTLP_ENDPOINT, …_HEADERS, OTEL_SERVICE_NAME, …), which the exporter reads itself.
//
// A slow or missing collector delays nothing: spans wait in a bounded queue, and the end of the run waits a few seconds. Spans
// that a killed engine had not sent are lost; the next engine sends the spans that end after its start.
import { ROOT_CONTEXT, SpanStatusCode, TraceFlags, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import type { Run } from '../../engine/run/run.ts'
import { RunSpans, type SpanRecord } from './spans.ts'

/** `since`: an earlier engine sent the spans that ended before. Dispose of it at the end of the run. */
export function exportTrace(run: Run, { since, version }: { since: number; version: string }): AsyncDisposable {
  const ids = { trace: '', span: '' }
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': 'espalier', 'service.version': version }))
      .merge(detectResources({ detectors: [envDetector] })),
    idGenerator: { generateTraceId: () => ids.trace, generateSpanId: () => ids.span },
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: new OTLPTraceExporter({ timeoutMillis: SEND_MS }),
        maxQueueSize: MOST_WAITING,
        scheduledDelayMillis: EVERY_MS,
      }),
    ],
  })
  const tracer = provider.getTracer('espalier', version)
  const spans = new RunSpans(run.id, run.plan)
  const send = ({ id, parent, name, from, to, attributes, error, links }: SpanRecord) => {
    const contextOf = (spanId: string) => ({ traceId: spans.trace, spanId, traceFlags: TraceFlags.SAMPLED })
    const context = parent === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, contextOf(parent))
    Object.assign(ids, { trace: spans.trace, span: id })
    const linked = links.map((link) => ({ context: contextOf(link) }))
    const span = tracer.startSpan(name, { startTime: from, attributes, links: linked }, context)
    if (error !== null) span.setStatus({ code: SpanStatusCode.ERROR, message: error })
    span.end(to)
  }
  const following = (async () => {
    for await (const event of run.events()) {
      if (!('seq' in event)) continue
      for (const span of spans.take(event)) if (event.at >= since) send(span)
    }
  })()
  return {
    [Symbol.asyncDispose]: async () => {
      const late = new Promise<void>((resolve) => setTimeout(resolve, LAST_MS).unref())
      await Promise.race([following.then(() => provider.shutdown()).catch(() => {}), late])
    },
  }
}

const MOST_WAITING = 20_000
const EVERY_MS = 1_000
const SEND_MS = 3_000
/** Longest wait at the end of a run for a collector that does not answer. */
const LAST_MS = 5_000
