import { handOffEffect } from '../effects/handOff'
import { caps } from '../values/caps'
import type { Json } from '../values/json'
import type { Variables } from '../values/render'
import { parseEmail } from '../values/rules'
import type { ToTeam } from './conversation'
import type { Effect } from './effects'
import { ask, call, channel, read, stayOpen } from './steps'

/** At most five addresses in a field of a mail (PRODUCT.md). */
export const MAX_TEAM = 5
/** How often the visitor is asked for an address. */
const ATTEMPTS = 3
/** The most addresses sent from variables. */
const MAX_CANDIDATES = 20

export interface HandOver {
  team: string
  note: string
  to: string[]
  /** the visitor's address if the flow names it; empty: search the variables */
  email: string
  /** asks for the address; repeated after an invalid answer */
  prompt: () => Generator<Effect, void, unknown>
  /** sent once people were notified */
  message: () => Generator<Effect, void, unknown>
}

/**
 * Hands the conversation over: asks the visitor for an address if none is known and the channel does not reach them,
 * notifies people (`hand-off`), and
 * keeps the conversation open for what the visitor adds.
 * @returns where the visitor is answered, null without an address; `nobody` if nobody could be notified
 */
export function* handOver({ team, note, to, email, prompt, message }: HandOver) {
  // defaults are left out, so that tests kept before these fields existed still match
  const { reaches } = yield* channel()
  const request = {
    ...{ team, note, ...(to.length > 0 && { to }), ...known(email, yield* read()) },
    // people answer where the visitor wrote
    ...(reaches && { asked: true }),
  }
  let taken = yield* call(handOffEffect, request)
  if (!taken.ok && taken.error === 'address-wanted') {
    const given = yield* askAddress(prompt)
    taken = yield* call(handOffEffect, { ...request, email: given, asked: true })
  }
  if (!taken.ok) return 'nobody' as const
  yield* message()
  const toTeam: ToTeam = { delivery: taken.delivery, ...(taken.email !== null && { email: taken.email }) }
  yield* stayOpen({
    request: { input: 'text', placeholder: '', required: true, long: true, maxLength: caps.userMessage, toTeam },
    service: handOffEffect.name,
  })
  return { email: taken.email }
}

/** The address that the visitor enters; empty if none is given. */
function* askAddress(prompt: HandOver['prompt']): Generator<Effect, string, unknown> {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    yield* prompt()
    const reply = yield* ask({ input: 'email', placeholder: '', required: false })
    if (reply.type === 'skip') break
    const email = reply.type === 'text' ? parseEmail(reply.text) : null
    if (email !== null) return email
  }
  return ''
}

/** The visitor's known address, otherwise candidates for it. */
function known(email: string, variables: Variables): { email?: string; candidates?: string[] } {
  const sure = addressOf(email) ?? addressOf(variables.sys_contact_email ?? null)
  if (sure !== null) return { email: sure }
  const own = Object.entries(variables).filter(([id]) => !id.startsWith('sys_'))
  const candidates = new Set(own.flatMap(([, value]) => addressOf(value) ?? []))
  return candidates.size > 0 ? { candidates: [...candidates].slice(0, MAX_CANDIDATES) } : {}
}

const addressOf = (value: Json): string | null =>
  typeof value === 'string' && value.length <= caps.email ? parseEmail(value) : null
