import { createHash } from 'node:crypto'
import { type Answer, type Call, fieldsOf, Refusal } from '../call'
import { CallLimit } from '../callLimit'
import type { Route } from '../routes'
import { catalogueRoutes } from './catalogueRoutes'
import { refuseAsStripe, stripeError } from './errors'
import { nest } from './form'
import { meterRoutes } from './meterRoutes'
import { paymentRoutes } from './paymentRoutes'
import type { StripeState } from './state'
import { subscriptionRoutes } from './subscriptionRoutes'
import type { Subscriptions } from './subscriptions'

/** Calls of a second, as Stripe allows a sandbox of its own. */
const MOST = 25
const BEARER = 'Bearer '

/** @returns Stripe's calls, and who may make them */
export function stripeApi(state: StripeState, subscriptions: Subscriptions, limited: boolean) {
  const limit = new CallLimit(MOST, 1)
  const answered = new Map<string, { of: string; answer: Answer }>()

  function admit(call: Call, route: Route): void {
    if (route.ours) return
    if (call.headers.authorization !== `${BEARER}${state.key}`) throw new Refusal(refuseAsStripe('unauthorized'))
    if (limited && limit.count('', call.at).left < 0) throw new Refusal(refuseAsStripe('tooMany'))
  }

  /** The same key with the same parameters is answered alike, and does nothing again. */
  const once = (route: Route): Route => {
    if (route.method !== 'POST') return route
    return {
      ...route,
      async handle(call) {
        const key = call.headers['idempotency-key']
        if (typeof key !== 'string') return route.handle(call)
        const of = createHash('sha256')
          .update(`${call.path} ${JSON.stringify(call.body ?? {})}`)
          .digest('hex')
        const known = answered.get(key)
        if (known?.of === of) return known.answer
        if (known)
          throw new Refusal(
            stripeError(
              400,
              'idempotency_error',
              'Keys for idempotent requests can only be used with the same parameters.',
            ),
          )
        const answer = await route.handle(call)
        answered.set(key, { of, answer: structuredClone(answer) })
        return answer
      },
    }
  }
  const nested = (route: Route): Route => ({
    ...route,
    handle: (call) => route.handle({ ...call, ...nestedParts(call) }),
  })
  const all = [
    ...catalogueRoutes(state),
    ...meterRoutes(state),
    ...paymentRoutes(state, subscriptions),
    ...subscriptionRoutes(state, subscriptions),
  ]
  return { routes: all.map(once).map(nested), admit }
}

/** The parts of a call that Stripe writes with brackets, as contracts describe them. */
export const nestedParts = ({ body, query }: Call): Pick<Call, 'body' | 'query'> => ({
  body: body === undefined ? undefined : nest(fieldsOf(body)),
  query: nest(query) as Call['query'],
})
