import { z } from 'zod'
import { aiLanguages } from '../../engine/values/aiLanguages'
import { caps, tooLong } from '../../engine/values/caps'
import { defineRoute, gid, ok } from './route'

export const providers = ['openai', 'anthropic', 'google', 'mistral', 'openai-compatible'] as const
export type Provider = (typeof providers)[number]

/** A model that a chatbot may be given. Id 1 is the built-in one, which needs no key. */
export const modelSchema = z.strictObject({
  id: z.int(),
  name: z.string(),
  /** null: built in */
  provider: z.enum(providers).nullable(),
  supports_actions: z.boolean(),
  /** of one reply; decimal */
  credits: z.number(),
  /** tokens; null: not known */
  context: z.int().nullable(),
  /** for plans with the feature `premium_models` alone */
  premium: z.boolean(),
  /** its provider has a key, by the environment or the project's */
  available: z.boolean(),
})
export type Model = z.infer<typeof modelSchema>

/** A provider as the project has set it up. The key itself is never sent back. */
export const connectionSchema = z.strictObject({
  gid,
  provider: z.enum(providers),
  /** the last four characters, none of a short one; null: no key (a server of one's own may want none) */
  key_preview: z.string().nullable(),
  /** null: the provider's own address */
  base_url: z.string().nullable(),
  /** of an OpenAI-compatible server: the models that it is asked for */
  models: z.array(z.strictObject({ id: z.int(), name: z.string(), supports_actions: z.boolean() })),
  /** of this provider, for meanings beside words; null: none */
  embedding_model: z.string().nullable(),
  created_at: z.string(),
})
export type Connection = z.infer<typeof connectionSchema>

/** SPEC.md 3: the chatbot's AI settings. */
export const aiSettingsSchema = z.strictObject({
  model_id: z.int(),
  /** asked when the first one fails; null: none */
  fallback_model_id: z.int().nullable(),
  /** of answers; Auto: that of the question */
  language: z.enum(aiLanguages),
  /** one decimal */
  temperature: z.number().min(0, 'Must be from 0 to 1').max(1, 'Must be from 0 to 1'),
  /** parts of addresses that answers never link to */
  hide_urls: z.array(z.string().trim().min(1, 'Enter a part of an address').max(caps.url, tooLong(caps.url))).max(100),
  /** credits that this chatbot may use a month; null: what the plan has */
  monthly_budget: z.number().min(0, 'Must not be below 0').max(1e9).nullable(),
  /** credits that one visitor may use a day; null: no bound */
  visitor_budget: z.number().min(0, 'Must not be below 0').max(1e9).nullable(),
})
export type AiSettings = z.infer<typeof aiSettingsSchema>

const inChatbot = z.strictObject({ pgid: gid, cgid: gid })
const inProject = z.strictObject({ pgid: gid })

export const readAiSettings = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/chatbots/:cgid/ai',
  access: { feature: 'ai.view' },
  params: inChatbot,
  answer: z.strictObject({
    settings: aiSettingsSchema,
    models: z.array(modelSchema),
    /** the plan has premium models */
    premium: z.boolean(),
    /** decimal; of the month, then of the lifetime */
    credits: z.strictObject({
      month: z.strictObject({ used: z.number(), max: z.number() }),
      lifetime: z.strictObject({ used: z.number(), max: z.number() }),
      chatbot_month: z.number(),
    }),
  }),
})
export type AiSettingsView = z.infer<typeof readAiSettings.answer>
export const updateAiSettings = defineRoute({
  method: 'PATCH',
  path: '/api/projects/:pgid/chatbots/:cgid/ai',
  access: { feature: 'ai.update' },
  params: inChatbot,
  body: aiSettingsSchema.partial(),
  answer: z.strictObject({ settings: aiSettingsSchema }),
})

export const listConnections = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/ai-connections',
  access: { feature: 'ai.view' },
  params: inProject,
  answer: z.strictObject({
    connections: z.array(connectionSchema),
    /** what the installation's environment sets up, which a project can't change */
    environment: z.array(z.strictObject({ provider: z.enum(providers), model: z.string().nullable() })),
  }),
})
const connectionBody = z.strictObject({
  provider: z.enum(providers),
  /** left out at a change: the key that is there */
  key: z.string().trim().max(500, tooLong(500)).optional(),
  base_url: z.string().trim().max(caps.url, tooLong(caps.url)).nullable().optional(),
  models: z
    .array(z.strictObject({ name: z.string().trim().min(1, 'Enter a model').max(200), supports_actions: z.boolean() }))
    .max(50)
    .optional(),
  embedding_model: z.string().trim().max(200, tooLong(200)).nullable().optional(),
})
export type ConnectionInput = Omit<z.infer<typeof connectionBody>, 'provider'>
export const MOST_CONNECTIONS = 20

/** Saves a provider's key, one a provider (several of OpenAI-compatible servers). The key is tried first: a wrong one is refused at `key`. */
export const addConnection = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/ai-connections',
  access: { feature: 'ai.update' },
  params: inProject,
  body: connectionBody,
  answer: z.strictObject({ connection: connectionSchema }),
})
export const changeConnection = defineRoute({
  method: 'PATCH',
  path: '/api/projects/:pgid/ai-connections/:gid',
  access: { feature: 'ai.update' },
  params: z.strictObject({ pgid: gid, gid }),
  body: connectionBody.omit({ provider: true }),
  answer: z.strictObject({ connection: connectionSchema }),
})
export const deleteConnection = defineRoute({
  method: 'DELETE',
  path: '/api/projects/:pgid/ai-connections/:gid',
  access: { feature: 'ai.update' },
  params: z.strictObject({ pgid: gid, gid }),
  answer: ok,
})
