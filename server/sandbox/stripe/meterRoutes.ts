import type { Route } from '../routes'
import { answer, bodyOf, find, pageOf } from './catalogueRoutes'
import { refuseStripe } from './errors'
import { fieldsIn, textOf } from './form'
import { presentMeter, presentMeterEvent } from './present'
import { type Meter, type MeterEvent, makeId, type StripeState } from './state'

/** Meters, and the uses that they are told of. */
export function meterRoutes(state: StripeState): Route[] {
  const { meters, meterEvents, customers } = state
  return [
    {
      method: 'POST',
      path: '/v1/billing/meters',
      handle(call) {
        const { display_name, event_name } = bodyOf(call)
        const eventName = textOf(event_name) ?? ''
        if (meters.some((one) => one.eventName === eventName))
          throw refuseStripe('There is an active meter with this event_name already.', { param: 'event_name' })
        const meter: Meter = {
          id: makeId(state, 'mtr'),
          name: textOf(display_name) ?? '',
          eventName,
          created: state.now(),
        }
        meters.push(meter)
        return answer(presentMeter(meter))
      },
    },
    { method: 'GET', path: '/v1/billing/meters', handle: (call) => pageOf([...meters].reverse(), call, presentMeter) },
    {
      method: 'POST',
      path: '/v1/billing/meter_events',
      handle(call) {
        const { event_name, payload, identifier } = bodyOf(call)
        const { stripe_customer_id: of, value } = fieldsIn(payload)
        const meter = meters.find(({ eventName }) => eventName === textOf(event_name))
        if (!meter) throw refuseStripe('No active meter has this event_name.', { param: 'event_name' })
        const customer = find(customers, 'customer', textOf(of) ?? '', 'payload[stripe_customer_id]')
        const count = Number(textOf(value))
        if (!Number.isInteger(count) || count < 0)
          throw refuseStripe('The value of an event is a whole number.', { param: 'payload[value]' })
        const id = makeId(state, 'mtrev')
        const name = textOf(identifier) ?? id
        // it counts once, under whatever call it comes
        const known = meterEvents.find((one) => one.identifier === name)
        if (known) throw refuseStripe(`An event already exists with identifier ${name}.`, { param: 'identifier' })
        const at = state.now()
        const event: MeterEvent = { id, identifier: name, meter, customer, value: count, at, isBilled: false }
        meterEvents.push(event)
        return answer(presentMeterEvent(event))
      },
    },
  ]
}
