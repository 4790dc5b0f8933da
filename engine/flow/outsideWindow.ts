import { OUTSIDE_WINDOW, whatsappEffect } from '../effects/whatsapp'
import { call } from './steps'

/** Whether the channel takes nothing but templates now, because the visitor has not written for too long. */
export function* isOutsideWindow() {
  const { ok, error } = yield* call(whatsappEffect, { ask: 'window' })
  return !ok && error === OUTSIDE_WINDOW
}
