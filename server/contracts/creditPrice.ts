import { z } from 'zod'
import { defineRoute, gid } from './route'

/** The most that a credit may cost. */
export const MOST_CREDIT_PRICE = 10_000

/** What an AI message credit costs, which figures of cost go by. */
export const creditPriceSchema = z.strictObject({
  /** of one credit, in the currency's main unit: 0.02 */
  price: z.number(),
  /** ISO 4217, such as EUR */
  currency: z.string(),
  /** false: that of credits beyond the plan, as the project has set none */
  own: z.boolean(),
})
export type CreditPrice = z.infer<typeof creditPriceSchema>

export const creditPriceBody = z.strictObject({
  /** null: none of the project's own */
  price: z
    .number('Enter a price')
    .gt(0, 'Must be above 0')
    .max(MOST_CREDIT_PRICE, `Must not be above ${MOST_CREDIT_PRICE}`)
    .nullable(),
  currency: z.string().regex(/^[A-Z]{3}$/, 'Write three letters, such as EUR'),
})

const params = z.strictObject({ pgid: gid })
const answer = z.strictObject({ credit_price: creditPriceSchema.nullable() })

export const readCreditPrice = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/credit-price',
  access: { feature: 'project.update' },
  params,
  answer,
})
export const updateCreditPrice = defineRoute({
  method: 'PATCH',
  path: '/api/projects/:pgid/credit-price',
  access: { feature: 'project.update' },
  params,
  body: creditPriceBody,
  answer,
})
