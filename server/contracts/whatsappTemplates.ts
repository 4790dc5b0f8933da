import { z } from 'zod'
import { channelTemplateSchema } from './channelTemplates'
import { defineRoute, gid } from './route'

const ofChatbot = z.strictObject({ pgid: gid, cgid: gid })
const path = '/api/projects/:pgid/chatbots/:cgid/whatsapp/templates'

export const whatsappTemplateSchema = channelTemplateSchema.extend({
  /** APPROVED, PENDING, REJECTED, PAUSED, or what else WhatsApp says */
  status: z.string(),
  /** GREEN, YELLOW, RED; empty: not known yet */
  quality: z.string(),
  /** why it was rejected; null: it was not, or nobody said */
  reason: z.string().nullable(),
})
export type WhatsappTemplate = z.infer<typeof whatsappTemplateSchema>

const answer = z.strictObject({ templates: z.array(whatsappTemplateSchema) })

export const listWhatsappTemplates = defineRoute({
  method: 'GET',
  path,
  access: { feature: 'whatsapp.view' },
  params: ofChatbot,
  answer,
})

/** Asks WhatsApp for the templates that the account has now. */
export const fetchWhatsappTemplates = defineRoute({
  method: 'POST',
  path: `${path}/fetch`,
  access: { feature: 'whatsapp.view' },
  limit: { by: 'user', most: 30 },
  params: ofChatbot,
  answer,
})

/** Places are numbered without a gap, and stand between words (rules of WhatsApp for its approval). */
export const placeProblem = (text: string): string | null => {
  const numbers = [...text.matchAll(/\{\{([^{}]*)\}\}/g)].map(([, name]) => name ?? '')
  const highest = new Set(numbers).size
  if (numbers.some((name) => !/^[1-9]\d?$/.test(name) || Number(name) > highest))
    return 'Number the variables {{1}}, {{2}}, … without a gap'
  if (/^\s*\{\{|\}\}\s*$/.test(text)) return 'Put words before the first variable and after the last one'
  return /\}\}\s*\{\{/.test(text) ? 'Put words between two variables' : null
}

const noPlaces = (text: string): boolean => !/\{\{|\}\}/.test(text)
const withPlaces = (most: number) =>
  z
    .string()
    .trim()
    .max(most, `Must not exceed ${most.toLocaleString('en')} characters`)
    .superRefine((text, context) => {
      const problem = placeProblem(text)
      if (problem) context.addIssue({ code: 'custom', message: problem })
    })

/** Files that a heading may be, and their bytes at most (sheet of the vendor, "Media"; a document's are ours). */
export const headingFiles = {
  image: { types: ['image/jpeg', 'image/png'], most: 5_000_000, wanted: 'WhatsApp takes JPEG and PNG of at most 5 MB' },
  video: { types: ['video/mp4'], most: 16_000_000, wanted: 'WhatsApp takes MP4 of at most 16 MB' },
  document: { types: ['application/pdf'], most: 25_000_000, wanted: 'WhatsApp takes PDF of at most 25 MB' },
} as const

export const templateDraftSchema = z
  .strictObject({
    name: z
      .string()
      .trim()
      .regex(/^[a-z0-9_]{1,512}$/, 'Use small letters, digits and underscores only, such as order_shipped'),
    language: z.string().regex(/^[a-z]{2,3}(_[A-Z]{2})?$/, 'Enter a language code of WhatsApp, such as en_US'),
    category: z.enum(['UTILITY', 'MARKETING']),
    header: z
      .string()
      .trim()
      .max(60, 'Must not exceed 60 characters')
      .refine(noPlaces, 'Use variables in the text only'),
    /** the heading is a file, of which this one is the example, and no text; null: it is a text, or there is none */
    media: z
      .strictObject({
        kind: z.enum(['image', 'video', 'document']),
        file: z.string().regex(/^[a-z0-9]{16}$/, 'Choose a file'),
      })
      .nullable(),
    body: withPlaces(1_024).min(1, 'Enter a text'),
    /** for each variable of the text, what may stand there */
    examples: z.array(z.string().trim().min(1, 'Enter an example').max(200)).max(40),
    footer: z
      .string()
      .trim()
      .max(60, 'Must not exceed 60 characters')
      .refine(noPlaces, 'Use variables in the text only'),
    /** what people can press to answer */
    buttons: z
      .array(z.string().trim().min(1, 'Enter a label').max(25, 'Must not exceed 25 characters'))
      .max(3, 'At most 3 buttons')
      .refine((labels) => new Set(labels).size === labels.length, 'Give each button another label'),
  })
  .superRefine(({ body, examples }, context) => {
    const places = new Set(body.match(/\{\{\d+\}\}/g)).size
    for (let at = examples.length; at < places; at++)
      context.addIssue({ code: 'custom', path: ['examples', at], message: 'Enter an example' })
  })
export type TemplateDraft = z.infer<typeof templateDraftSchema>

/** Gives a template to WhatsApp, which approves or rejects it. */
export const submitWhatsappTemplate = defineRoute({
  method: 'POST',
  path,
  access: { feature: 'whatsapp.profile' },
  limit: { by: 'user', most: 30 },
  params: ofChatbot,
  body: templateDraftSchema,
  answer,
})
