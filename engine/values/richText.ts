import { z } from 'zod'
import { tooLong } from './caps'
import { linkSchema, linkVariables } from './linkAddress'
import { listMarkers, MAX_LIST_LEVEL } from './richTextLists'
import { valuePathSchema } from './valuePath'

/**
 * Rich text (SPEC.md 3): paragraphs whose children have a text and the attributes bold, italic, underline, link,
 * variable, variable_id. A variable chip is a child with an empty text; `path` names a part of its value. A link's
 * address may contain variables (linkAddress.ts). A list item is a paragraph with a `list` (richTextLists.ts).
 */
const leafSchema = z.strictObject({
  text: z.string(),
  bold: z.literal(true).optional(),
  italic: z.literal(true).optional(),
  underline: z.literal(true).optional(),
  link: linkSchema.optional(),
})
const chipSchema = z.strictObject({
  text: z.literal(''),
  variable: z.literal(true),
  variable_id: z.string().min(1).max(64),
  path: valuePathSchema.optional(),
  bold: z.literal(true).optional(),
  italic: z.literal(true).optional(),
  underline: z.literal(true).optional(),
  link: linkSchema.optional(),
})
/** A paragraph's list fields: for schemas of rich text in any of its forms. */
export const listFields = {
  list: z.enum(['bullet', 'number']).optional(),
  level: z.int().min(1).max(MAX_LIST_LEVEL).optional(),
}
const paragraphSchema = z.strictObject({
  type: z.literal('paragraph'),
  ...listFields,
  children: z.array(z.union([chipSchema, leafSchema])).max(20_000),
})

export type RichTextLeaf = z.infer<typeof leafSchema>
export type RichTextChip = z.infer<typeof chipSchema>
export type RichTextInline = RichTextLeaf | RichTextChip
export type Paragraph = z.infer<typeof paragraphSchema>
export type RichText = Paragraph[]
/** Rich text with every chip replaced by its value: what a visitor gets. */
export type RenderedParagraph = Omit<Paragraph, 'children'> & { children: RichTextLeaf[] }
export type RenderedRichText = RenderedParagraph[]

/** @param max the most characters; only text parts count (SPEC.md 5) */
export function richTextSchema(max: number): z.ZodType<RichText> {
  return z
    .array(paragraphSchema)
    .max(20_000)
    .refine((value) => richTextLength(value) <= max, { message: tooLong(max) })
}

export function isChip(child: RichTextInline): child is RichTextChip {
  return 'variable' in child && child.variable === true
}

/** Characters of the text parts; line breaks between paragraphs don't count. */
export function richTextLength(value: RichText): number {
  return value.reduce((sum, paragraph) => sum + paragraph.children.reduce((n, child) => n + child.text.length, 0), 0)
}

/** The variables that a rich text reads: its chips, and variables in link addresses. */
export function richTextVariables(value: RichText): string[] {
  return value.flatMap(({ children }) =>
    children.flatMap((child) => [
      ...(isChip(child) ? [child.variable_id] : []),
      ...(child.link === undefined ? [] : linkVariables(child.link)),
    ]),
  )
}

export const plainRichText = (text: string): RenderedRichText =>
  text.split('\n').map((line) => ({ type: 'paragraph', children: [{ text: line }] }))

/**
 * The plain text, one line per paragraph, list items after their bullet or number; `chip` returns the text of a
 * variable.
 */
export function richTextToString(value: RichText, chip: (variableId: string, path?: string) => string): string {
  const markers = listMarkers(value)
  return value
    .map(({ children, level = 0 }, at) => {
      const text = children.map((child) => (isChip(child) ? chip(child.variable_id, child.path) : child.text)).join('')
      const marker = markers[at]
      return marker && text !== '' ? `${'  '.repeat(level)}${marker} ${text}` : text
    })
    .join('\n')
}
