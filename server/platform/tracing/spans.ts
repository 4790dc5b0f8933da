import {
  type Attributes,
  context,
  isSpanContextValid,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'

/**
 * Spans of what the server does, for OpenTelemetry. Nothing is recorded unless the program exports them
 * (exportTraces.ts). Attributes are ours: names of kinds, ids and numbers, never a text, an address or a person.
 */
const tracer = trace.getTracer('parley')

interface SpanOptions {
  attributes?: Attributes
  kind?: SpanKind
  /** goes on with the span that `traceHere` gave elsewhere; null: begins a trace, whatever is under way here */
  after?: string | null
}

/**
 * Runs `work` as a span, within the one that is under way here; what `work` does is within it. If it throws, the span
 * has failed, with the name of the error and not its message, which may quote anything.
 * @param work may add attributes to its span
 */
export async function inSpan<Result>(
  name: string,
  { after, ...options }: SpanOptions,
  work: (span: Span) => Promise<Result>,
): Promise<Result> {
  const around = after === undefined ? context.active() : contextOf(after)
  const span = tracer.startSpan(name, options, around)
  try {
    return await context.with(trace.setSpan(around, span), () => work(span))
  } catch (error) {
    failed(span, error instanceof Error ? error.name : 'unknown')
    throw error
  } finally {
    span.end()
  }
}

/** @returns the span that is under way here, as W3C's `traceparent`, to be kept in a row; null: none is recorded */
export function traceHere(): string | null {
  const here = trace.getSpanContext(context.active())
  if (!here || !isSpanContextValid(here)) return null
  return `00-${here.traceId}-${here.spanId}-${here.traceFlags.toString(16).padStart(2, '0')}`
}

function contextOf(kept: string | null) {
  const [, traceId = '', spanId = '', flags = ''] = /^00-(\w{32})-(\w{16})-(\w{2})$/.exec(kept ?? '') ?? []
  const span = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true }
  return isSpanContextValid(span) ? trace.setSpanContext(ROOT_CONTEXT, span) : ROOT_CONTEXT
}

/** Begins the span of a call of another server. @returns to be told once how it ended */
export function beginCall(name: string, attributes: Attributes): (ok: boolean, more?: Attributes) => void {
  const span = tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes })
  return (ok, more = {}) => {
    span.setAttributes(more)
    if (!ok) failed(span)
    span.end()
  }
}

/** Marks a span as failed. @param type of the error, one of few */
export function failed(span: Span, type?: string): void {
  if (type) span.setAttribute('error.type', type)
  span.setStatus({ code: SpanStatusCode.ERROR })
}
