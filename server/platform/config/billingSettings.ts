import { z } from 'zod'
import { StartError } from '../database/startError'
import { isAddress, isKey } from './aiSettings'

/** Stripe, by which projects pay: chosen by its key. */
export interface StripeSettings {
  secretKey: string
  /** what its webhooks are signed with (`whsec_…`); null: none is believed, and Stripe is asked instead */
  webhookSecret: string | null
  /** without a trailing slash */
  apiUrl: string
  /** days that a project's first subscription is free; 0: none */
  trialDays: number
}

export interface BillingSettings {
  /** whether the screens about plans, add-ons and what they cost are shown */
  billing: boolean
  /** null: nobody pays here, and whoever runs Parley sets plans */
  stripe: StripeSettings | null
}

/** The variables about what projects pay, for the table of all settings. */
export const billingVariables = {
  BILLING: z.enum(['on', 'off'], 'give on or off').default('off'),
  STRIPE_SECRET_KEY: z.string().trim().optional(),
  STRIPE_WEBHOOK_SECRET: z.string().trim().optional(),
  STRIPE_API_BASE: z
    .string()
    .default('https://api.stripe.com')
    .refine(isAddress, 'give an address, such as https://api.stripe.com')
    .transform((url) => url.replace(/\/+$/, '')),
  BILLING_TRIAL_DAYS: z
    .string()
    .default('0')
    .refine((text) => /^\d{1,3}$/.test(text), 'give a whole number of days (0: there is no trial)')
    .transform(Number),
} as const

/** Where billing is off, a key is not used. @throws StartError if a key can't be one */
export function readBillingSettings(given: z.output<z.ZodObject<typeof billingVariables>>): BillingSettings {
  const { STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret, BILLING } = given
  for (const [name, value] of Object.entries({ STRIPE_SECRET_KEY: secretKey, STRIPE_WEBHOOK_SECRET: webhookSecret }))
    if (value && !isKey(value))
      throw new StartError(`${name} holds characters that it can’t have: give it in one line, without quotes`)
  const billing = BILLING === 'on'
  const { STRIPE_API_BASE: apiUrl, BILLING_TRIAL_DAYS: trialDays } = given
  return {
    billing,
    stripe: billing && secretKey ? { secretKey, webhookSecret: webhookSecret || null, apiUrl, trialDays } : null,
  }
}
