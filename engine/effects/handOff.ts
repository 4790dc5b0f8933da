import { z } from 'zod'
import { defineEffect, failureSchema } from './defineEffect'

/** Notifies people about a conversation: that it was handed over, or that the visitor added something. */
export const handOffEffect = defineEffect({
  name: 'hand-off',
  request: z.union([
    z.strictObject({ action: z.literal('added') }),
    z.strictObject({
      team: z.string(),
      note: z.string(),
      /** who gets a mail; empty: everybody who may answer visitors */
      to: z.array(z.string()).default([]),
      /** the visitor's address; empty: unknown */
      email: z.string().default(''),
      /** addresses in the flow's variables, possibly the visitor's */
      candidates: z.array(z.string()).default([]),
      /** whether the visitor was already asked for an address */
      asked: z.boolean().default(false),
    }),
  ]),
  result: z.union([
    /** `address-wanted`: ask the visitor for an address first; `nobody-available`: nobody could be notified */
    failureSchema,
    /** people were notified. Tests kept before there were delivery methods hold just a success */
    z.object({
      ok: z.literal(true),
      delivery: z.enum(['mail', 'kept']).default('mail'),
      /** where the visitor is answered; null: no address is known */
      email: z.string().nullable().default(null),
      /** number of people */
      notified: z.int().optional(),
    }),
  ]),
})
