import { z } from 'zod'
import { flowSchema } from '../../engine/flow/schema'
import { interfaceLanguages } from './languages'
import { defineRoute, gid } from './route'

/** In the gallery's order. */
export const templateCategories = [
  'sales',
  'marketing',
  'support',
  'bookings',
  'feedback',
  'people',
  'engagement',
] as const
export type TemplateCategory = (typeof templateCategories)[number]

const templateSlug = z
  .string()
  .max(64)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'There is no such template')

const point = z.strictObject({ x: z.number(), y: z.number() })
/** A flow for drawing a sketch: groups and edges in px, the first group's corner at 0/0 or beyond. */
const sketchSchema = z.strictObject({
  width: z.number(),
  height: z.number(),
  groups: z.array(
    z.strictObject({
      id: z.string(),
      title: z.string(),
      ...point.shape,
      width: z.number(),
      height: z.number(),
      /** from the group's top */
      blocks: z.array(
        z.strictObject({ id: z.string(), kind: z.string(), category: z.string(), y: z.number(), height: z.number() }),
      ),
    }),
  ),
  edges: z.array(z.strictObject({ id: z.string(), from: point, to: point })),
})
export type Sketch = z.infer<typeof sketchSchema>

const listedSchema = z.strictObject({
  slug: templateSlug,
  title: z.string(),
  description: z.string(),
  category: z.enum(templateCategories),
  tags: z.array(z.string()),
  /** in all of its flows */
  blocks: z.int(),
  tests: z.int(),
  /** of its main flow */
  sketch: sketchSchema,
})
export type ListedTemplate = z.infer<typeof listedSchema>

const templateSchema = listedSchema.extend({
  /** what still has to be filled in, step by step */
  setup: z.array(z.string()),
  /** titles of its other flows */
  flows: z.array(z.string()),
  /** an example conversation: the first of its tests */
  conversation: z.array(z.strictObject({ from: z.enum(['bot', 'visitor']), text: z.string() })),
})
export type Template = z.infer<typeof templateSchema>

/** what is said about templates is in this language; the flows are in English */
const inLanguage = z.strictObject({ language: z.enum(interfaceLanguages).default('en') })

/** The same for everybody: templates are part of the installation. */
export const listTemplates = defineRoute({
  method: 'GET',
  path: '/api/templates',
  access: 'user',
  query: inLanguage,
  answer: z.strictObject({ templates: z.array(listedSchema) }),
})
export const readTemplate = defineRoute({
  method: 'GET',
  path: '/api/templates/:slug',
  access: 'user',
  params: z.strictObject({ slug: templateSlug }),
  query: inLanguage,
  answer: z.strictObject({ template: templateSchema }),
})
/**
 * The template's main flow for inserting into an open flow. Its other flows are added to the chatbot, and the main one
 * refers to them there. The client inserts it into its document, so that one undo step reverts it.
 */
export const takeTemplate = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/chatbots/:cgid/templates',
  access: { feature: 'builder.update' },
  params: z.strictObject({ pgid: gid, cgid: gid }),
  body: z.strictObject({ template: templateSlug }),
  answer: z.strictObject({ flow: flowSchema }),
})
