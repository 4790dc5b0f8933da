import { z } from 'zod'
import { flowSchema } from '../../engine/flow/schema'
import { defineRoute, gid } from './route'

/** In the order in which the gallery shows them. */
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
/** A flow as a picture is drawn from it: groups and edges in px, the first group's corner at 0/0 or beyond. */
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
  /** its main flow */
  sketch: sketchSchema,
})
export type ListedTemplate = z.infer<typeof listedSchema>

const templateSchema = listedSchema.extend({
  /** what is still to be filled in, step by step */
  setup: z.array(z.string()),
  /** the titles of its flows beside the main one */
  flows: z.array(z.string()),
  /** a conversation with it: the first of its tests */
  conversation: z.array(z.strictObject({ from: z.enum(['bot', 'visitor']), text: z.string() })),
})
export type Template = z.infer<typeof templateSchema>

/** The same for everybody: templates come with the installation. */
export const listTemplates = defineRoute({
  method: 'GET',
  path: '/api/templates',
  access: 'user',
  answer: z.strictObject({ templates: z.array(listedSchema) }),
})
export const readTemplate = defineRoute({
  method: 'GET',
  path: '/api/templates/:slug',
  access: 'user',
  params: z.strictObject({ slug: templateSlug }),
  answer: z.strictObject({ template: templateSchema }),
})
/**
 * What an editor puts into an open flow: the template's main flow. Its other flows are added to the chatbot, and the main one enters
 * them there. The open document is the editor's to change, so that one step of undo takes it back.
 */
export const takeTemplate = defineRoute({
  method: 'POST',
  path: '/api/projects/:pgid/chatbots/:cgid/templates',
  access: { feature: 'builder.update' },
  params: z.strictObject({ pgid: gid, cgid: gid }),
  body: z.strictObject({ template: templateSlug }),
  answer: z.strictObject({ flow: flowSchema }),
})
