import { z } from 'zod'
import { tooLong } from '../../engine/values/caps'
import { FLOW_FILE_BODY, importResultSchema } from './flows'
import { defineRoute, gid, ok } from './route'

export const chatbotName = z.string().trim().min(1, 'Enter a chatbot name').max(125, 'Must not exceed 125 characters')
/** the address of the shared page, /c/<slug> */
export const shareSlug = z
  .string()
  .trim()
  .min(3, 'Must be at least 3 characters')
  .max(64, 'Must not exceed 64 characters')
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'Use lowercase letters, digits and single hyphens')

/** SPEC.md 9 */
export const businessCaps = { name: 100, description: 200 } as const
const businessName = z.string().trim().max(businessCaps.name, tooLong(businessCaps.name))
const businessDescription = z.string().trim().max(businessCaps.description, tooLong(businessCaps.description))

/**
 * SPEC.md 3. A chatbot (version 1) answers from its sources and is tried in its testing view; an agent (version 2) has
 * a builder, and actions as well.
 */
export const chatbotTypes = { chatbot: 1, agent: 2 } as const

/** SPEC.md 3: where people write to a chatbot. One of either also answers on the other, by the same flow. */
export const platforms = { web: 1, messaging: 2 } as const
const platform = z.literal([platforms.web, platforms.messaging])

/** What a chatbot needs before it answers on its own (SPEC.md 4). Complete when both are true. */
export const setupSchema = z.strictObject({
  /** at least one, its own or of the linked knowledge base */
  sources: z.boolean(),
  /** the business' name and description */
  details: z.boolean(),
})
export type Setup = z.infer<typeof setupSchema>

export const chatbotSchema = z.strictObject({
  gid,
  egid: z.string(),
  name: z.string(),
  /** 1 chatbot, 2 agent */
  type: z.int(),
  version: z.int(),
  platform_id: z.int(),
  /** the main flow, which the builder opens */
  fid: gid,
  slug: z.string(),
  /** the host of its own at which visitors reach it; null: it has none that works */
  domain: z.string().nullable(),
  business_name: z.string(),
  business_description: z.string(),
  setup: setupSchema,
  /** remaining steps of the template that it was made from; otherwise empty */
  setup_steps: z.array(z.strictObject({ text: z.string(), done: z.boolean() })),
  /** the project's sample: it counts in no meter, and can't be published */
  sample: z.boolean(),
  /** over the plan's limit of chatbots: it can be read, and answers as it was published, but not be changed */
  over_limit: z.boolean(),
  /** null if nothing is published */
  published: z.strictObject({ version: z.int(), at: z.string(), by: z.string() }).nullable(),
  /** whether drafts were edited since the published version */
  draft_changed: z.boolean(),
  updated_at: z.string(),
  /** the last editor of any of its flows; empty if unknown */
  updated_by: z.string(),
})
export type Chatbot = z.infer<typeof chatbotSchema>

/** The number of days for which the list counts conversations. */
export const COUNTED_DAYS = 7

export const listedChatbotSchema = chatbotSchema.extend({
  /** visitors' conversations started in that time; null if the caller may not see numbers */
  conversations: z.int().nullable(),
})
export type ListedChatbot = z.infer<typeof listedChatbotSchema>

/** A chatbot that is being deleted, and the progress. */
export const deletingSchema = z.strictObject({ gid, name: z.string(), percent: z.int() })
export type DeletingChatbot = z.infer<typeof deletingSchema>

const inProject = z.strictObject({ pgid: gid })
const one = z.strictObject({ pgid: gid, cgid: gid })
const answer = z.strictObject({ chatbot: chatbotSchema })

export const listChatbots = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/chatbots',
  access: { feature: 'chatbots.view' },
  params: inProject,
  answer: z.strictObject({ chatbots: z.array(listedChatbotSchema), deleting: z.array(deletingSchema) }),
})
/**
 * `source` is the text of a flow file (ours or Typebot's): the chatbot is created with its content, or not at all.
 * `template`: its flows and tests are copied.
 */
export const createChatbot = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/chatbots',
  access: { feature: 'chatbots.create' },
  load: 'draft',
  params: inProject,
  body: z
    .strictObject({
      name: chatbotName,
      /** absent: an agent */
      type: z.literal([chatbotTypes.chatbot, chatbotTypes.agent]).optional(),
      /** absent: the web */
      platform_id: platform.optional(),
      source: z.string().optional(),
      template: z.string().max(64).optional(),
    })
    .refine(({ source, template }) => source === undefined || template === undefined, {
      path: ['template'],
      message: 'Choose a file or a template, not both',
    })
    .refine(({ type, source, template }) => type !== chatbotTypes.chatbot || (source ?? template) === undefined, {
      path: ['type'],
      message: 'Flows of files and templates are for agents',
    }),
  bodyLimit: FLOW_FILE_BODY,
  answer: answer.extend({ imported: importResultSchema.optional() }),
})
export const readChatbot = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/chatbots/:cgid',
  access: { feature: 'chatbots.view' },
  params: one,
  answer,
})
export const updateChatbot = defineRoute({
  method: 'PATCH',
  path: '/api/projects/:pgid/chatbots/:cgid',
  access: { feature: 'chatbots.update' },
  params: one,
  body: z.strictObject({
    name: chatbotName.optional(),
    platform_id: platform.optional(),
    slug: shareSlug.optional(),
    business_name: businessName.optional(),
    business_description: businessDescription.optional(),
  }),
  answer,
})
/**
 * Makes a chatbot of version 1 an agent: with the builder, in which its flow stands, and actions. An agent stays one.
 */
export const upgradeChatbot = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/chatbots/:cgid/upgrade',
  access: { feature: 'chatbots.update' },
  params: one,
  answer,
})
/** Marks one of `setup_steps` by index as done, or not done. */
export const tickSetupStep = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/chatbots/:cgid/setup-steps',
  access: { feature: 'builder.update' },
  params: one,
  body: z.strictObject({ step: z.int().min(0).max(99), done: z.boolean() }),
  answer,
})
export const duplicateChatbot = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/chatbots/:cgid/duplicate',
  access: { feature: 'chatbots.duplicate' },
  load: 'draft',
  params: one,
  answer,
})
/**
 * `name` must repeat the chatbot's name. It is inaccessible at once; its content is deleted in the background, see
 * `deleting`.
 */
export const deleteChatbot = defineRoute({
  method: 'DELETE',
  path: '/api/projects/:pgid/chatbots/:cgid',
  access: { feature: 'chatbots.delete' },
  params: one,
  body: z.strictObject({ name: z.string().max(125) }),
  answer: ok,
})
