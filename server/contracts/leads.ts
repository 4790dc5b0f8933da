import { z } from 'zod'
import { defineRoute, gid, ok } from './route'

export const LEADS_PER_PAGE = 50

export const leadStatuses = ['new', 'contacted', 'qualified', 'won', 'lost'] as const
export type LeadStatus = (typeof leadStatuses)[number]
/** What the flow asked for: a form, an email or a phone; `agent`: an agent's action took it. */
export const leadSources = ['form', 'email', 'phone', 'agent'] as const
export type LeadSource = (typeof leadSources)[number]

export const flowAnswerSchema = z.strictObject({ id: z.string(), name: z.string(), value: z.string() })
const personSchema = z.strictObject({ gid, name: z.string() })

export const leadSchema = z.strictObject({
  gid,
  /** null: it was deleted */
  conversation: gid.nullable(),
  source: z.enum(leadSources),
  environment: z.enum(['production', 'sharing']),
  name: z.string(),
  email: z.string(),
  phone: z.string(),
  answers: z.array(flowAnswerSchema),
  status: z.enum(leadStatuses),
  owner: personSchema.nullable(),
  created_at: z.string(),
})
export type Lead = z.infer<typeof leadSchema>

const inChatbot = { pgid: gid, cgid: gid }

/** The leads of a chatbot, newest first; `before` is the last one of the page before. */
export const listLeads = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/chatbots/:cgid/leads',
  access: { feature: 'contacts.view' },
  params: z.strictObject(inChatbot),
  query: z.strictObject({
    status: z.enum(leadStatuses).optional(),
    source: z.enum(leadSources).optional(),
    owner: gid.optional(),
    /** in name, email, phone */
    search: z.string().trim().max(200, 'Must not exceed 200 characters').optional(),
    before: gid.optional(),
  }),
  answer: z.strictObject({
    leads: z.array(leadSchema),
    more: z.boolean(),
    /** of all that match, whatever their status */
    counts: z.record(z.enum(leadStatuses), z.int()),
    /** who may own a lead */
    people: z.array(personSchema),
  }),
})

export const updateLead = defineRoute({
  method: 'PATCH',
  path: '/api/projects/:pgid/chatbots/:cgid/leads/:gid',
  access: { feature: 'contacts.update' },
  params: z.strictObject({ ...inChatbot, gid }),
  body: z.strictObject({
    status: z.enum(leadStatuses).optional(),
    /** null: nobody */
    owner: gid.nullable().optional(),
  }),
  answer: z.strictObject({ lead: leadSchema }),
})

export const deleteLead = defineRoute({
  method: 'DELETE',
  path: '/api/projects/:pgid/chatbots/:cgid/leads/:gid',
  access: { feature: 'contacts.delete' },
  params: z.strictObject({ ...inChatbot, gid }),
  answer: ok,
})
