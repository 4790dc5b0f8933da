import { type Context, context, ROOT_CONTEXT, SpanKind, trace } from '@opentelemetry/api'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { failed } from './spans'

/** As in metrics: what belongs to no contract is one, whatever it is called. */
const OTHER = 'other'

/**
 * Makes each HTTP request a span, which what it does is within, and has its lines of the log bear its `trace_id`. Ids
 * of traces that callers send are not taken over: anybody could make all calls count, or join somebody else's trace.
 */
export function traceCalls(app: FastifyInstance): void {
  const tracer = trace.getTracer('parley')
  const contexts = new WeakMap<FastifyRequest, Context>()

  app.addHook('onRequest', (request, reply, done) => {
    const route = request.routeOptions.config.contract?.path ?? OTHER
    const method = route === OTHER ? OTHER : request.method
    const attributes = { 'http.request.method': method, 'http.route': route }
    const span = tracer.startSpan(`${method} ${route}`, { kind: SpanKind.SERVER, attributes }, ROOT_CONTEXT)
    request.log = request.log.child({ trace_id: span.spanContext().traceId })
    // after an answer, and when the caller has left before
    reply.raw.once('close', () => {
      const status = reply.raw.statusCode
      span.setAttribute('http.response.status_code', status)
      if (status >= 500) failed(span, String(status))
      span.end()
    })
    const within = trace.setSpan(ROOT_CONTEXT, span)
    contexts.set(request, within)
    context.with(within, done)
  })
  // reading a body loses it
  app.addHook('preValidation', (request, _, done) => context.with(contexts.get(request) ?? ROOT_CONTEXT, done))
}
