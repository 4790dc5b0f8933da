import { sql } from 'kysely'
import { contactsEffect } from '../../../../engine/effects/contacts'
import type { TraceStep } from '../../../../engine/run/session'
import { cleanText } from '../../../../engine/values/cleanText'
import type { ContactField } from '../../../../engine/values/contactFields'
import type { Json } from '../../../../engine/values/json'
import { emailRule, isPhone } from '../../../../engine/values/rules'
import type { Work } from '../../../platform/database/database'
import type { FlowAnswer } from '../tables'
import type { FoundLead } from './leadOf'

/** Who left something with an agent, and all that was left. */
export interface AgentLead extends FoundLead {
  answers: FlowAnswer[]
}

/** Kinds of blocks in which an agent works: it shows forms, and takes values out of what the visitor says. */
const AGENT = 'ai-answer'
const agentKinds: ReadonlySet<string> = new Set([AGENT, 'ai-extract'])
const CONTACT = 'contact'
const LONGEST = 255

interface TurnRow {
  conversation_id: string
  trace: TraceStep[]
  requests: Json[]
}

/**
 * What agents took in conversations: forms that an action showed, and emails and phone numbers that the agent's blocks
 * have stored. The last value of a field counts. A form's contact is stored by the turn's first calls: those of the
 * flow's own contact blocks, as many as the turn has steps of them, come after it.
 */
export async function readAgentLeads(work: Work, ids: readonly string[]): Promise<Map<string, AgentLead>> {
  const call = `%"service":${JSON.stringify(contactsEffect.name)}%`
  // searched as text: PostgreSQL reads no JSON in which a visitor has written U+0000
  const { rows } = await sql<TurnRow>`
    select r.conversation_id, t.trace, coalesce((
        select json_agg(e.request order by e.position) from effects e
        where e.run_id = t.run_id and e.project_id = t.project_id and e.turn = t.turn
          and e.type = 'call' and e.status = 'done' and e.request::text like ${call}), '[]') as requests
    from runs r join turn_records t on t.run_id = r.id and t.project_id = r.project_id
    where r.conversation_id = any(${ids}::bigint[]) and t.trace::text like '%"kind":"ai-%'
    order by r.conversation_id, r.number, t.turn`.execute(work)
  const found = new Map<string, Map<ContactField, string>>()
  for (const { conversation_id, trace, requests } of rows) {
    const fields = found.get(conversation_id) ?? new Map<ContactField, string>()
    for (const [field, value] of [...valuesOf(trace), ...formsOf(trace, requests)])
      fields.set(field, cleanText(value).trim().slice(0, LONGEST))
    if (fields.size > 0) found.set(conversation_id, fields)
  }
  return new Map([...found].map(([conversation, fields]) => [conversation, leadOf(fields)]))
}

function leadOf(fields: ReadonlyMap<ContactField, string>): AgentLead {
  const value = (field: ContactField) => fields.get(field) ?? ''
  return {
    ...{ source: 'agent', name: value('name'), email: value('email'), phone: value('phone').slice(0, 50) },
    answers: [...fields].map(([field, text]) => ({
      id: `agent:${field}`,
      name: field.replaceAll('_', ' '),
      value: text,
    })),
  }
}

/** What forms of agents stored as contacts. */
function formsOf(trace: readonly TraceStep[], requests: readonly Json[]): [ContactField, string][] {
  if (!trace.some(({ kind }) => kind === AGENT)) return []
  const calls = requests.flatMap((stored) => {
    const { service, request } = stored as { service?: unknown; request?: Json }
    const read = service === contactsEffect.name ? contactsEffect.request.safeParse(request) : undefined
    return read?.success ? [read.data] : []
  })
  const ofFlow = trace.filter(({ kind }) => kind === CONTACT).length
  return calls
    .slice(0, Math.max(calls.length - ofFlow, 0))
    .flatMap(({ action, fields }) => (action === 'create' ? (Object.entries(fields) as [ContactField, string][]) : []))
}

/** Emails and phone numbers that an agent's blocks stored in variables. */
function valuesOf(trace: readonly TraceStep[]): [ContactField, string][] {
  return trace
    .filter(({ kind }) => agentKinds.has(kind))
    .flatMap(({ writes }) => Object.values(writes))
    .flatMap((value): [ContactField, string][] => {
      if (typeof value !== 'string' || value.length > LONGEST) return []
      if (emailRule.test(value)) return [['email', value]]
      return value.startsWith('+') && isPhone(value) ? [['phone', value]] : []
    })
}
