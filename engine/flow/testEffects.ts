import { z } from 'zod'

/**
 * What a call of a test changed outside, or would have changed: results of calls carry a list of them as `testEffects`, and only
 * in tests. One shape for services, the record of a conversation, and what shows it.
 */
const effect = <Type extends string, Shape extends z.ZodRawShape>(type: Type, shape: Shape) =>
  z.strictObject({
    type: z.literal(type),
    /** false: it was simulated, and nothing outside has changed; true: it was done, and marked as a test */
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
    /** as its readers would see it; left out where the list is an overview */
    html: z.string().optional(),
    text: z.string(),
  }),
  effect('http', {
    method: z.string(),
    url: z.string(),
    /** null: none, or it may hold what is not everybody's to see */
    body: z.string().nullable(),
    /** what stood for the server's answer: the block's sample, or nothing; null: the server answered */
    answeredBy: z.enum(['sample', 'nothing']).nullable(),
  }),
  effect('contact', {
    action: z.enum(['create', 'update', 'delete']),
    /** the contact it is about, by the field it was looked for */
    key: z.strictObject({ field: z.string(), value: z.string() }),
    /** what was set, by the names of fields; empty values were cleared */
    fields: z.record(z.string(), z.string()),
  }),
  effect('hand-off', {
    /** how many are told */
    people: z.int().min(0),
    team: z.string(),
    note: z.string(),
    /** where the visitor is answered; left out: no address is known */
    email: z.string().optional(),
    /** they are told of what the visitor has added */
    added: z.literal(true).optional(),
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

/** The effects that a call's result carries; none for what is no such result. */
export function testEffectsOf(result: unknown): TestEffect[] {
  return carrierSchema.safeParse(result).data?.testEffects ?? []
}
