import { z } from 'zod'

/**
 * What a call in a test changed outside, or would have changed: results of calls carry a list as `testEffects`, only in
 * tests. One shape for handlers, records of conversations, and the interface.
 */
const effect = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z.strictObject({
    type: z.literal(type),
    /** false: simulated, nothing changed; true: carried out, and marked as a test */
    carriedOut: z.boolean(),
    ...shape,
  })

export const testEffectSchema = z.discriminatedUnion('type', [
  effect('mail', {
    from: z.string(),
    to: z.array(z.string()),
    cc: z.array(z.string()),
    bcc: z.array(z.string()),
    replyTo: z.array(z.string()),
    subject: z.string(),
    /** as its readers would see it; absent in overviews */
    html: z.string().optional(),
    text: z.string(),
  }),
  effect('http', {
    method: z.string(),
    url: z.string(),
    /** null: none, or possibly confidential */
    body: z.string().nullable(),
    /** where the response came from: the block's sample, or nothing; null: from the server */
    answeredBy: z.enum(['sample', 'nothing']).nullable(),
  }),
  effect('contact', {
    action: z.enum(['create', 'update', 'delete']),
    /** the contact concerned, by the field it was looked up by */
    key: z.strictObject({ field: z.string(), value: z.string() }),
    /** values set, by field name; empty values were cleared */
    fields: z.record(z.string(), z.string()),
  }),
  effect('hand-off', {
    /** number of people notified */
    people: z.int().min(0),
    team: z.string(),
    note: z.string(),
    /** where the visitor is answered; absent: no address is known */
    email: z.string().optional(),
    /** people were notified of what the visitor added */
    added: z.literal(true).optional(),
  }),
  effect('record', {
    /** the vendor's name, as people know it */
    vendor: z.string(),
    action: z.enum(['add', 'create', 'update', 'clear', 'delete']),
    /** what kind of record, and how many of them */
    of: z.enum(['row', 'contact', 'company', 'ticket', 'booking']),
    count: z.int().min(0),
    /** where: `Orders › 2026` */
    place: z.string(),
    /** values set, by name; empty values were cleared */
    fields: z.record(z.string(), z.string()),
  }),
  effect('tool', {
    server: z.string(),
    tool: z.string(),
    /** as JSON */
    arguments: z.string(),
  }),
])
export type TestEffect = z.infer<typeof testEffectSchema>
export type TestEffectOf<Type extends TestEffect['type']> = Extract<TestEffect, { type: Type }>

const carrierSchema = z.object({ testEffects: z.array(testEffectSchema) })

/** The effects in a call's result; none for other values. */
export function testEffectsOf(result: unknown): TestEffect[] {
  return carrierSchema.safeParse(result).data?.testEffects ?? []
}
