import type { Json } from '../../../engine/values/json'

/**
 * What becomes of what a call changes outside. `real`: a visitor's, carried out. `simulated`: a test's, shown and not carried out.
 * `marked`: a test's whose tester allowed it: carried out, and marked as a test wherever it lands.
 */
export type Writes = 'real' | 'marked' | 'simulated'

/** Where a conversation is held. */
export type Environment = 'production' | 'sharing' | 'playground' | 'editor'

/** For whom, and how, a call is made. */
export interface CallContext {
  /** the same key is the same call: a service that can should pass it on, since a crash during a call repeats it */
  key: string
  environment: Environment
  writes: Writes
  draft?: ShowDraft
}
/** Shows who listens what the call has come to so far, as Markdown: all of it each time; empty when nothing comes of it. */
export type ShowDraft = (markdown: string) => void

/** Answers a call. It never throws: a failure is a result that the block understands. */
export type Call = (request: Json, context: CallContext) => Promise<Json>
/** A call that is the same whoever makes it. */
export type KeyedCall = (request: Json, context: Pick<CallContext, 'key'>) => Promise<Json>

/**
 * A service outside that blocks may call. Each declares what it is in a test that changes nothing: without saying so there is no service.
 */
export interface Service {
  carryOut: Call
  /**
   * The same call without any change outside: what reads alone may be carried out here too, what writes is answered as if it had
   * been, with `testEffects` (engine/flow/testEffects.ts). `reads-only`: no request of this service changes anything.
   */
  simulate: Call | 'reads-only'
}

/** A service that changes nothing outside, whatever it is asked. */
export const readsOnly = (carryOut: Call): Service => ({ carryOut, simulate: 'reads-only' })

/** Answers a call as its context says: the one place that decides between doing and simulating. */
export function callService({ carryOut, simulate }: Service, request: Json, context: CallContext): Promise<Json> {
  const isSimulated = context.writes === 'simulated' && simulate !== 'reads-only'
  return isSimulated ? simulate(request, context) : carryOut(request, context)
}
