import { z } from 'zod'
import { defineEffect, failureSchema } from './defineEffect'

/** Tells people of a conversation: that it was handed over, or that the visitor has added something to one that was. */
export const handOffEffect = defineEffect({
  name: 'hand-off',
  request: z.union([
    z.strictObject({ action: z.literal('added') }),
    z.strictObject({
      team: z.string(),
      note: z.string(),
      /** who is mailed; none: everybody who may answer visitors */
      to: z.array(z.string()).default([]),
      /** the visitor's address; empty: it is not known which it is */
      email: z.string().default(''),
      /** addresses that the flow's variables hold: the visitor's may be among them */
      candidates: z.array(z.string()).default([]),
      /** the visitor was asked for an address already */
      asked: z.boolean().default(false),
    }),
  ]),
  result: z.union([
    /** `address-wanted`: the visitor is to be asked for one first; `nobody-available`: nobody could be told */
    failureSchema,
    /** people were told. Tests kept before there were ways of delivery hold a plain yes */
    z.object({
      ok: z.literal(true),
      delivery: z.enum(['mail', 'kept']).default('mail'),
      /** where the visitor is answered; null: no address is known */
      email: z.string().nullable().default(null),
      /** how many */
      notified: z.int().optional(),
    }),
  ]),
})
