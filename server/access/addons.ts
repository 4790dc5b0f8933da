import type { PlanFeature, PlanLimits } from './plans'

/** What a project bought besides its plan: how many of each add-on, by the add-on's id. */
export type Addons = Readonly<Record<string, number>>

export interface Addon {
  /** PRODUCT.md, Plans */
  id: number
  /** as a command takes it */
  slug: string
  name: string
  /** of one, per month; a yearly price is 20 % less, as a plan's */
  price: number
  /** what each of them adds to the plan's limits */
  adds: Partial<PlanLimits>
  /** what one of them or more switches on */
  feature?: PlanFeature
}

/**
 * Ids and what they are about: PRODUCT.md, Plans. It names no amounts: those are ours, between a fourth of what Starter
 * has in a month and twice that, or one more. Prices are ours as well.
 */
export const addons: readonly Addon[] = [
  { id: 1, slug: 'ai-credits', name: 'AI credits', price: 12, adds: { ai_message_credits: 1_000 } },
  { id: 2, slug: 'chatbot', name: 'Chatbot', price: 10, adds: { chatbots: 1 } },
  { id: 3, slug: 'seat', name: 'Seat', price: 8, adds: { seats: 1 } },
  {
    id: 4,
    slug: 'custom-domain',
    name: 'Custom domain',
    price: 10,
    adds: { custom_domains: 1 },
    feature: 'custom_domain',
  },
  { id: 5, slug: 'branding-removal', name: 'Branding removal', price: 29, adds: {}, feature: 'no_branding' },
  { id: 6, slug: 'training', name: 'Training', price: 10, adds: { training_credits: 5e6 } },
  { id: 7, slug: 'email', name: 'Emails', price: 5, adds: { email_credits: 500 } },
  { id: 8, slug: 'speech', name: 'Speech', price: 10, adds: { speech_to_text_seconds: 3_600 } },
  { id: 9, slug: 'resync', name: 'Re-syncs', price: 5, adds: { resync_credits: 100 } },
]

/**
 * What who runs Parley gives a project once, beside what it pays for: taken when a month's own are used up, and renewed
 * by no month. Their amounts stand among a project's add-ons under these names.
 */
export const bonuses = [
  { slug: 'bonus-ai-credits', name: 'Bonus AI credits' },
  { slug: 'bonus-training', name: 'Bonus training' },
] as const

/** The most of one bonus. */
export const MOST_BONUS = 1e9

/** @returns the AI message credits and the characters to train on that a project was given once */
export const bonusOf = (given: Addons): { aiCredits: number; training: number } => ({
  aiCredits: Math.max(0, given['bonus-ai-credits'] ?? 0),
  training: Math.max(0, given['bonus-training'] ?? 0),
})
