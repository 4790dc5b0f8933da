import { z } from 'zod'

/** A place in a template that each message fills: a value of its body, the address of its picture, a link's end. */
const placeSchema = z.strictObject({
  part: z.enum(['header', 'body', 'button']),
  /** which of its buttons; 0 elsewhere */
  index: z.int(),
  /** `1`, `2`, …, or a name */
  name: z.string(),
  kind: z.enum(['text', 'image', 'video', 'document']),
})
export type TemplatePlace = z.infer<typeof placeSchema>

/** A message that a channel has approved, and takes at any time. */
export const channelTemplateSchema = z.strictObject({
  name: z.string(),
  language: z.string(),
  category: z.string(),
  /** texts with their places as `{{1}}` or `{{name}}`; empty: there is none */
  header: z.string(),
  body: z.string(),
  footer: z.string(),
  buttons: z.array(z.string()),
  /** those of its buttons that answer when they are pressed */
  replies: z.array(z.string()),
  places: z.array(placeSchema),
  /** false: it waits for approval, was refused, or has parts that can’t be filled here */
  sendable: z.boolean(),
})
export type ChannelTemplate = z.infer<typeof channelTemplateSchema>

/** Which template is sent, and a value for each of its places, in their order. */
export const filledTemplateSchema = z.strictObject({
  name: z.string().min(1).max(512),
  language: z.string().min(1).max(15),
  values: z.array(z.string().trim().min(1, 'Enter a value').max(1_000, 'Must not exceed 1,000 characters')).max(40),
})
export type FilledTemplate = z.infer<typeof filledTemplateSchema>

/** A text of a template with its values. @param values by the names of places; a place without one stays as it is */
export const fillTemplate = (text: string, values: Readonly<Record<string, string>>): string =>
  text.replace(/\{\{([\w-]{1,60})\}\}/g, (place, name: string) =>
    Object.hasOwn(values, name) && values[name] ? values[name] : place,
  )

/** What a template says once it is filled, as people read it. @param values one a place; empty: not filled yet */
export function templateText({ header, body, footer, places }: ChannelTemplate, values: readonly string[]): string {
  const of = (part: TemplatePlace['part']) =>
    Object.fromEntries(
      places.flatMap((place, at) => (place.part === part ? [[place.name, values[at] ?? ''] as const] : [])),
    )
  return [fillTemplate(header, of('header')), fillTemplate(body, of('body')), footer].filter(Boolean).join('\n\n')
}
