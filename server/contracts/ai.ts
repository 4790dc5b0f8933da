import { z } from 'zod'
import { aiLanguages } from '../../engine/values/aiLanguages'
import { caps, tooLong } from '../../engine/values/caps'
import { defineRoute, gid, ok } from './route'

export const providers = ['openai', 'anthropic', 'google', 'mistral', 'openai-compatible'] as const
export type Provider = (typeof providers)[number]

/** A model that chatbots may use. Id 1 is the built-in one, which needs no key. */
export const modelSchema = z.strictObject({
  id: z.int(),
  name: z.string(),
  /** null: built in */
  provider: z.enum(providers).nullable(),
  supports_actions: z.boolean(),
  /** per reply; decimal */
  credits: z.number(),
  /** tokens; null: unknown */
  context: z.int().nullable(),
  /** only for plans with the feature `premium_models` */
  premium: z.boolean(),
  /** its provider has a key, from the environment or the project */
  available: z.boolean(),
})
export type Model = z.infer<typeof modelSchema>

/** A provider set up by the project. The key is never returned. */
export const connectionSchema = z.strictObject({
  gid,
  provider: z.enum(providers),
  /** the last four characters, empty for a short key; null: no key (own servers may need none) */
  key_preview: z.string().nullable(),
  /** null: the provider's own address */
  base_url: z.string().nullable(),
  /** of an OpenAI-compatible server: the models to use */
  models: z.array(z.strictObject({ id: z.int(), name: z.string(), supports_actions: z.boolean() })),
  /** of this provider, for semantic search; null: none */
  embedding_model: z.string().nullable(),
  /** of an OpenAI-compatible server, turns voice messages into text; null: none */
  speech_model: z.string().nullable(),
  created_at: z.string(),
})
export type Connection = z.infer<typeof connectionSchema>

/** SPEC.md 3: the chatbot's AI settings. */
export const aiSettingsSchema = z.strictObject({
  model_id: z.int(),
  /** used when the first one fails; null: none */
  fallback_model_id: z.int().nullable(),
  /** of answers; Auto: the question's */
  language: z.enum(aiLanguages),
  /** one decimal */
  temperature: z.number().min(0, 'Must be from 0 to 1').max(1, 'Must be from 0 to 1'),
  /** whether the nearest questions are offered where nothing answers */
  suggestions: z.boolean(),
  /** parts of addresses that answers never link to */
  hide_urls: z.array(z.string().trim().min(1, 'Enter a part of an address').max(caps.url, tooLong(caps.url))).max(100),
  /** credits that this chatbot may use per month; null: the plan's */
  monthly_budget: z.number().min(0, 'Must not be below 0').max(1e9).nullable(),
  /** credits that one visitor may use per day; null: no limit */
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
    /** whether the plan has premium models */
    premium: z.boolean(),
    /** decimal; monthly, then one-time */
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
    /** what the installation's environment provides, which a project can't change */
    environment: z.array(z.strictObject({ provider: z.enum(providers), model: z.string().nullable() })),
  }),
})
const connectionBody = z.strictObject({
  provider: z.enum(providers),
  /** absent in an update: keep the present key */
  key: z.string().trim().max(500, tooLong(500)).optional(),
  base_url: z.string().trim().max(caps.url, tooLong(caps.url)).nullable().optional(),
  models: z
    .array(z.strictObject({ name: z.string().trim().min(1, 'Enter a model').max(200), supports_actions: z.boolean() }))
    .max(50)
    .optional(),
  embedding_model: z.string().trim().max(200, tooLong(200)).nullable().optional(),
  speech_model: z.string().trim().max(200, tooLong(200)).nullable().optional(),
})
export type ConnectionInput = Omit<z.infer<typeof connectionBody>, 'provider'>
export const MOST_CONNECTIONS = 20

/**
 * Saves a provider's key, one per provider (several for OpenAI-compatible servers). The key is tested first: a wrong
 * one is refused at `key`.
 */
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
