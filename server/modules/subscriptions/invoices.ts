import type { ProjectDb } from '../../platform/database/database'
import type { StripeSource } from './stripe/createStripe'
import { asking, isMissing } from './stripe/explainStripe'

/** An invoice for the list of all. Money in whole cents. */
export interface InvoiceEntry {
  id: string
  number: string | null
  created_at: string
  status: 'open' | 'paid' | 'uncollectible' | 'void'
  cents: number
  /** of it, what was given back after it was paid */
  refunded: number
  currency: string
  /** Stripe's page of it, and the file */
  url: string | null
  pdf: string | null
}

const MOST = 100

const SHOWN: readonly string[] = ['open', 'paid', 'uncollectible', 'void'] satisfies InvoiceEntry['status'][]
const isShown = (status: string | null): status is InvoiceEntry['status'] => status !== null && SHOWN.includes(status)

/** @returns the project's latest invoices, as Stripe has them; none without a customer */
export const listInvoices = (db: ProjectDb, stripe: StripeSource): Promise<InvoiceEntry[]> =>
  asking(async () => {
    const row = await db.selectFrom('subscriptions').select('customer_id').executeTakeFirst()
    if (!row) return []
    try {
      const { data } = await (await stripe()).invoices.list({ customer: row.customer_id, limit: MOST })
      return data.flatMap(
        ({ id, number, created, status, total, currency, hosted_invoice_url, invoice_pdf, ...more }) =>
          !isShown(status)
            ? []
            : [
                {
                  ...{ id, number: number?.slice(0, 100) ?? null, created_at: new Date(created * 1_000).toISOString() },
                  refunded: more.post_payment_credit_notes_amount,
                  ...{ status, cents: total, currency, url: hosted_invoice_url ?? null, pdf: invoice_pdf ?? null },
                },
              ],
      )
    } catch (thrown) {
      if (isMissing(thrown)) return []
      throw thrown
    }
  })
