import { handOffEffect } from '../effects/handOff'
import { caps } from '../values/caps'
import type { Json } from '../values/json'
import type { Variables } from '../values/render'
import { parseEmail } from '../values/rules'
import type { ToTeam } from './conversation'
import type { Effect } from './effects'
import { ask, call, read, stayOpen } from './steps'

/** PRODUCT.md: at most five addresses in a field of a mail. */
export const MAX_TEAM = 5
/** How often an address is asked for. */
const ATTEMPTS = 3
/** Addresses among the variables that are told. */
const MAX_CANDIDATES = 20

export interface HandOver {
  team: string
  note: string
  to: string[]
  /** the visitor's address, where the flow says which it is; empty: it is looked for */
  email: string
  /** asks for the address; said again when the answer is none */
  prompt: () => Generator<Effect, void, unknown>
  /** said once people were told */
  message: () => Generator<Effect, void, unknown>
}

/**
 * Hands the conversation over: asks the visitor for an address where none is known, tells people (`hand-off`), and keeps the
 * conversation open for what the visitor adds.
 * @returns where the visitor is answered, null without an address; `nobody` when nobody could be told
 */
export function* handOver({ team, note, to, email, prompt, message }: HandOver) {
  // what is as usual is left out, so that tests that were kept before there was more still fit
  const request = { team, note, ...(to.length > 0 && { to }), ...known(email, yield* read()) }
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

/** The address that the visitor gives; empty when there is none after all. */
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

/** The address that is the visitor's for sure, else those that may be. */
function known(email: string, variables: Variables): { email?: string; candidates?: string[] } {
  const sure = addressOf(email) ?? addressOf(variables.sys_contact_email ?? null)
  if (sure !== null) return { email: sure }
  const own = Object.entries(variables).filter(([id]) => !id.startsWith('sys_'))
  const candidates = new Set(own.flatMap(([, value]) => addressOf(value) ?? []))
  return candidates.size > 0 ? { candidates: [...candidates].slice(0, MAX_CANDIDATES) } : {}
}

const addressOf = (value: Json): string | null =>
  typeof value === 'string' && value.length <= caps.email ? parseEmail(value) : null
