import { z } from 'zod'
import { caps } from '../values/caps'
import type { Json } from '../values/json'
import type { Variables } from '../values/render'
import { parseEmail } from '../values/rules'
import type { ToTeam } from './conversation'
import type { Effect } from './effects'
import { ask, call, read, stayOpen } from './steps'

/** The service that tells people of a conversation. */
const SERVICE = 'hand-off'
/** PRODUCT.md: at most five addresses in a field of a mail. */
export const MAX_TEAM = 5
/** How often an address is asked for. */
const ATTEMPTS = 3
/** Addresses among the variables that the service is told of. */
const MAX_CANDIDATES = 20

/** What the service is asked: to hand a conversation over, or that the visitor has added something to one that was. */
export const handOffCallSchema = z.union([
  z.strictObject({ action: z.literal('added') }),
  z.strictObject({
    team: z.string(),
    note: z.string(),
    /** who is mailed; none: everybody who may answer visitors */
    to: z.array(z.string()).default([]),
    /** the visitor's address; empty: it is not known which it is */
    email: z.string().default(''),
    /** addresses that the flow's variables hold: the visitor's may be among them */
    candidates: z.array(z.string()).default([]),
    /** the visitor was asked for an address already */
    asked: z.boolean().default(false),
  }),
])

/** What it answers when people were told. Tests kept before there were ways of delivery hold a plain yes. */
const takenSchema = z.object({
  ok: z.literal(true),
  delivery: z.enum(['mail', 'kept']).default('mail'),
  /** where the visitor is answered; null: no address is known */
  email: z.string().nullable().default(null),
})
const wantedSchema = z.object({ ok: z.literal(false), error: z.literal('address-wanted') })

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
 * Hands the conversation over: asks the visitor for an address where none is known, tells people by the service `hand-off`, and keeps
 * the conversation open for what the visitor adds.
 * @returns where the visitor is answered, null without an address; `nobody` when nobody could be told
 */
export function* handOver({ team, note, to, email, prompt, message }: HandOver) {
  // what is as usual is left out, so that tests that were kept before there was more still fit
  const request = { team, note, ...(to.length > 0 && { to }), ...known(email, yield* read()) }
  let result = yield* call(SERVICE, request)
  if (wantedSchema.safeParse(result).success) {
    const given = yield* askAddress(prompt)
    result = yield* call(SERVICE, { ...request, email: given, asked: true })
  }
  const { data: taken } = takenSchema.safeParse(result)
  if (!taken) return 'nobody' as const
  yield* message()
  const toTeam: ToTeam = { delivery: taken.delivery, ...(taken.email !== null && { email: taken.email }) }
  yield* stayOpen({
    request: { input: 'text', placeholder: '', required: true, long: true, maxLength: caps.userMessage, toTeam },
    service: SERVICE,
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
