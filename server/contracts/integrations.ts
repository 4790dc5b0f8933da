import { z } from 'zod'
import { crmEffect } from '../../engine/effects/crm'
import { sheetsEffect } from '../../engine/effects/sheets'
import { ticketEffect } from '../../engine/effects/ticket'
import type { Json } from '../../engine/values/json'
import { defineRoute, gid } from './route'

/** Vendors that a project can connect; the last part of SPEC.md's callback addresses. */
export const vendorSlugs = ['google-sheets', 'hubspot', 'salesforce', 'zendesk', 'calendly'] as const
export type VendorSlug = (typeof vendorSlugs)[number]
const vendor = z.enum(vendorSlugs)

/** Where a connection is begun, by default in the builder: a vendor sends people back to an address of its own. */
export const connectionAreas = ['builder', 'knowledge'] as const
export type ConnectionArea = (typeof connectionAreas)[number]
const area = z.enum(connectionAreas).optional()
/** Vendors whose articles chatbots are trained on. */
export const knowledgeVendors = ['zendesk', 'salesforce'] as const satisfies readonly VendorSlug[]

/** Ways to connect by hand: each names what a person brings. */
export const connectionWays = ['google-key', 'hubspot-token', 'zendesk-client', 'calendly-token'] as const
export type ConnectionWay = (typeof connectionWays)[number]
/** What people fill in to connect. */
export const connectionFields = ['subdomain', 'account', 'token', 'clientId', 'clientSecret', 'key'] as const
export type ConnectionField = (typeof connectionFields)[number]

const fieldSchema = z.strictObject({
  name: z.enum(connectionFields),
  max: z.number(),
  secret: z.boolean(),
  /** a whole file, pasted */
  long: z.boolean(),
})
export type FieldToFill = z.infer<typeof fieldSchema>
const filledSchema = z.partialRecord(z.enum(connectionFields), z.string().max(20_000))

const useSchema = z.strictObject({
  chatbot: z.strictObject({ gid, name: z.string() }),
  /** titles of flows that use it, in drafts or published versions */
  flows: z.array(z.string()),
  /** titles of lists that it follows with it */
  lists: z.array(z.string()),
  /** names of its model's actions that do */
  actions: z.array(z.string()),
})
export type ConnectionUse = z.infer<typeof useSchema>

/** A project's account at a vendor. Tokens are never returned. */
export const vendorConnectionSchema = z.strictObject({
  gid,
  vendor,
  /** how people know the account: an address */
  account: z.string(),
  scopes: z.array(z.string()),
  /** at a stand-in of the sandbox */
  sandbox: z.boolean(),
  /** why it does not work, and what to do; null: it works, as far as is known */
  problem: z.strictObject({ code: z.string(), message: z.string(), at: z.string() }).nullable(),
  /** what of it does not work beside that, and why; null: all of it does */
  notice: z.string().nullable(),
  /** null: a deleted account */
  connected_by: z.string().nullable(),
  connected_at: z.string(),
  used_at: z.string().nullable(),
})
export type VendorConnection = z.infer<typeof vendorConnectionSchema>

const inProject = z.strictObject({ pgid: gid })
const one = z.strictObject({ pgid: gid, gid })
const path = '/api/projects/:pgid/connections'

/** The vendors, and the project's connections. */
export const listVendorConnections = defineRoute({
  method: 'GET',
  path,
  access: { feature: 'integrations.view' },
  params: inProject,
  answer: z.strictObject({
    vendors: z.array(
      z.strictObject({
        slug: vendor,
        name: z.string(),
        /** whether the installation has a client there, without which nobody can connect */
        available: z.boolean(),
        /** where the installation's client at the vendor sends people back to */
        callback: z.string(),
        /** likewise, where sources are added; null: none are had from it */
        knowledge_callback: z.string().nullable(),
        /** what is asked before a person consents */
        fields: z.array(fieldSchema),
        /** tokens and keys that people may bring instead; they need no client of the installation's */
        by_hand: z.array(z.strictObject({ way: z.enum(connectionWays), fields: z.array(fieldSchema) })),
      }),
    ),
    connections: z.array(vendorConnectionSchema),
    /** the page of the stand-ins, on the server's machine; null: vendors are real */
    sandbox: z.string().nullable(),
  }),
})
export type VendorList = z.infer<typeof listVendorConnections.answer>

/** Which flows use which connections, by id. */
export const listConnectionUses = defineRoute({
  method: 'GET',
  path: `${path}/uses`,
  access: { feature: 'integrations.view' },
  params: inProject,
  answer: z.strictObject({ uses: z.record(z.string(), z.array(useSchema)) }),
})

/** Begins to connect: the address of the vendor's page where the person consents. */
export const beginConnection = defineRoute({
  method: 'POST',
  path,
  access: { feature: 'integrations.connect' },
  plan: 'integrations',
  limit: { by: 'user', most: 30 },
  params: inProject,
  body: z.strictObject({
    vendor,
    area,
    /** a path of the project, where the person goes on afterwards; another one leads to the integrations */
    return_to: z.string().max(500),
    /** what the vendor's `fields` ask; what is wrong is told at `fields.<name>` */
    fields: filledSchema.optional(),
  }),
  answer: z.strictObject({ url: z.string() }),
})

/**
 * Connects by a token or key that a person brings, which is tried first by a call of the vendor. What is wrong with it,
 * and what the vendor says, is told at `fields.<name>`, and nothing is stored.
 */
export const connectByHand = defineRoute({
  method: 'POST',
  path: `${path}/by-hand`,
  access: { feature: 'integrations.connect' },
  plan: 'integrations',
  limit: { by: 'user', most: 30 },
  params: inProject,
  body: z.strictObject({ vendor, way: z.enum(connectionWays), fields: filledSchema }),
  answer: z.strictObject({ connection: vendorConnectionSchema }),
})

/** What the vendor sends back in the address; other parameters are ignored. */
const callbackBody = z.strictObject({
  vendor,
  /** of the address that it sent the person back to */
  area,
  state: z.string().max(500),
  code: z.string().max(4_000).optional(),
  /** the vendor's word for why not */
  error: z.string().max(500).optional(),
})

/** Ends what `beginConnection` began: by the same person in the same session, once, within ten minutes. */
export const finishConnection = defineRoute({
  method: 'POST',
  path: '/api/oauth/callback',
  access: 'user',
  limit: { by: 'user', most: 30 },
  body: callbackBody,
  answer: z.strictObject({
    return_to: z.string(),
    /** null: the person did not consent, or it failed; the problem says why */
    connection: vendorConnectionSchema.nullable(),
    problem: z.string().nullable(),
  }),
})

/** Asks the vendor whether the connection still works. */
export const checkConnection = defineRoute({
  method: 'POST',
  path: `${path}/:gid/check`,
  access: { feature: 'integrations.view' },
  limit: { by: 'user', most: 30 },
  params: one,
  answer: z.strictObject({ connection: vendorConnectionSchema }),
})

/**
 * Revokes and forgets it. Refused with `conflict`, naming the flows, while flows use it, unless `confirmed`. What the
 * vendor did not hear of is told: the connection is gone all the same.
 */
export const disconnect = defineRoute({
  method: 'DELETE',
  path: `${path}/:gid`,
  access: { feature: 'integrations.disconnect' },
  params: one,
  body: z.strictObject({ confirmed: z.boolean() }),
  answer: z.strictObject({ revoked: z.boolean() }),
})

export const choiceSchema = z.strictObject({
  id: z.string(),
  label: z.string(),
  detail: z.string().optional(),
  /** what is new can't do without it */
  required: z.literal(true).optional(),
})
export type Choice = z.infer<typeof choiceSchema>
export const choiceCaps = { most: 1_000 } as const

/** What forms let people choose from: spreadsheets, their tabs, their columns. */
export const listChoices = defineRoute({
  method: 'POST',
  path: `${path}/:gid/choices`,
  access: { feature: 'builder.update' },
  limit: { by: 'user', most: 120 },
  params: one,
  body: z.strictObject({
    list: z.enum([
      ...['spreadsheets', 'tabs', 'columns', 'properties', 'fields', 'event-types'],
      ...['groups', 'brands', 'ticket-forms'],
      ...['article-languages', 'article-fields'],
    ] as const),
    /** what it is of: of columns the spreadsheet and the tab */
    within: z.array(z.string().min(1).max(200)).max(3),
    search: z.string().max(100),
    /** asks the vendor even if it was asked within minutes */
    reload: z.boolean(),
  }),
  answer: z.strictObject({
    choices: z.array(choiceSchema),
    /** null: never, since the vendor could not be asked */
    fetched_at: z.string().nullable(),
    /** why these are not the present ones */
    problem: z.string().nullable(),
  }),
})
export type ChoiceQuery = z.infer<typeof listChoices.body>
export type Choices = z.infer<typeof listChoices.answer>

/** Makes the call of a block once, for real: its editor asked for this. Failures are in the answer. */
export const trySheet = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/sheet-test',
  access: { feature: 'builder.update' },
  limit: { by: 'user', most: 30 },
  params: inProject,
  body: sheetsEffect.request,
  answer: z.strictObject({
    ok: z.boolean(),
    error: z.string().nullable(),
    rows: z.array(z.record(z.string(), z.custom<Json>())),
    numbers: z.array(z.number()),
  }),
})
export const tryCrm = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/crm-test',
  access: { feature: 'builder.update' },
  limit: { by: 'user', most: 30 },
  params: inProject,
  body: crmEffect.request,
  answer: z.strictObject({
    ok: z.boolean(),
    error: z.string().nullable(),
    id: z.string().nullable(),
    url: z.string().nullable(),
    fields: z.record(z.string(), z.custom<Json>()),
  }),
})
export const tryTicket = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/ticket-test',
  access: { feature: 'builder.update' },
  limit: { by: 'user', most: 30 },
  params: inProject,
  body: ticketEffect.request,
  answer: z.strictObject({
    ok: z.boolean(),
    error: z.string().nullable(),
    id: z.string().nullable(),
    url: z.string().nullable(),
    status: z.string().nullable(),
  }),
})
export type TicketTest = z.infer<typeof tryTicket.answer>
export type CrmTest = z.infer<typeof tryCrm.answer>
export type SheetTest = z.infer<typeof trySheet.answer>
