import { secretNameOf } from './secrets'

/** Facts about a conversation that the runtime provides. */
const conversation = {
  user_id: 'Who the visitor is: the same at each visit.',
  conversation_id: 'This conversation.',
  current_url: 'The page that the visitor has open.',
  language: 'The visitor’s language, such as en or pt-br.',
  transcript: 'What the bot and the visitor have said so far.',
  channel: 'Where the conversation takes place: web, share, playground, whatsapp.',
} as const

/** Facts about the visitor (SPEC.md 9, user info). */
const contact = {
  contact_id: 'The contact’s own id.',
  contact_name: 'Full name.',
  contact_email: 'Email address.',
  contact_phone: 'Phone number.',
  contact_address: 'Street and number.',
  contact_city: 'City.',
  contact_state: 'State or region.',
  contact_zip: 'Postal code.',
  contact_country: 'Country.',
  contact_company: 'Company.',
  contact_job_title: 'Job title.',
  contact_industry: 'Industry.',
  contact_website: 'Website.',
} as const

const help = { ...conversation, ...contact }

export type SystemVariableName = keyof typeof help
export type SystemVariableId = `sys_${SystemVariableName}`

export interface SystemVariable {
  readonly id: SystemVariableId
  readonly name: SystemVariableName
  /** one sentence in English; the interface translates by the name and falls back to this */
  readonly help: string
}

/**
 * Variables that every conversation has and no flow stores (PRODUCT.md, system variables): the runtime sets them,
 * blocks read them, nothing in a flow sets them. Their ids are reserved.
 */
export const systemVariables: readonly SystemVariable[] = (Object.keys(help) as SystemVariableName[]).map((name) => ({
  id: `sys_${name}`,
  name,
  help: help[name],
}))

/** The transcript. Only maintained for chatbots that read it. */
export const TRANSCRIPT: SystemVariableId = 'sys_transcript'

const byId = new Map<string, SystemVariable>(systemVariables.map((variable) => [variable.id, variable]))

/** The system variable of that id, if there is one. */
export const findSystemVariable = (variableId: string): SystemVariable | undefined => byId.get(variableId)

/**
 * Ids that no variable of a flow may have: those of secrets and of system variables (more than exist today, so that
 * future ones don't collide with stored flows).
 */
export const isReservedId = (variableId: string): boolean =>
  variableId.startsWith('sys_') || secretNameOf(variableId) !== null

/** The initial system variables of a session: those known to the runtime. The others stay absent, which saves space. */
export const systemValues = (
  known: Partial<Record<SystemVariableName, string | null>> = {},
): Partial<Record<SystemVariableId, string>> =>
  Object.fromEntries(
    systemVariables.flatMap(({ id, name }) => {
      const value = known[name]
      return typeof value === 'string' ? [[id, value]] : []
    }),
  )
