/** What a plan allows a project. Numbers and features are those of the plans table in PRODUCT.md. */
export interface Plan {
  id: string
  name: string
  /** per month; a yearly price is 20 % less */
  price: number
  limits: PlanLimits
  features: Record<PlanFeature, boolean>
}

/** Each plan includes the features of the plans before it. */
const tiers = {
  free: ['web', 'share', 'playground', 'basic_analytics'],
  starter: ['analytics', 'exports', 'lead_form', 'actions', 'survey'],
  growth: ['whatsapp', 'api', 'integrations', 'custom_domain', 'auto_sync', 'share_password'],
  business: ['no_branding', 'retention', 'audit', 'premium_models'],
} as const
type Tier = keyof typeof tiers
export type PlanFeature = (typeof tiers)[Tier][number]

export const featureNames: Record<PlanFeature, string> = {
  web: 'Web widget',
  share: 'Shared page',
  playground: 'Playground',
  basic_analytics: 'Basic analytics',
  analytics: 'Analytics',
  exports: 'Exports',
  lead_form: 'Lead form',
  actions: 'Actions',
  survey: 'Satisfaction survey',
  whatsapp: 'WhatsApp',
  api: 'API',
  integrations: 'Integrations',
  custom_domain: 'Custom domain',
  auto_sync: 'Automatic sync',
  share_password: 'Password for the shared page',
  no_branding: 'No branding',
  retention: 'Retention rules',
  audit: 'Audit log',
  premium_models: 'Premium models',
}

/** A limit from here on is that of who runs Parley for themselves: nobody reaches it. */
export const UNREACHABLE = 1e4

/** In the order of the plans. */
const limits = {
  ai_message_credits: [100, 2_000, 8_000, 30_000, 1e9],
  lifetime_credits: [50, 0, 0, 0, 0],
  training_credits: [5e5, 1e7, 4e7, 1.5e8, 1e12],
  chatbots: [1, 3, 10, 40, 1e6],
  seats: [1, 3, 8, 25, 1e6],
  email_credits: [20, 500, 3_000, 15_000, 1e9],
  speech_to_text_seconds: [0, 1_800, 10_800, 54_000, 1e9],
  resync_credits: [0, 100, 1_000, 10_000, 1e9],
  custom_domains: [0, 0, 1, 5, 1e4],
} satisfies Record<string, [number, number, number, number, number]>
export type PlanLimits = Record<keyof typeof limits, number>

function plan(column: 0 | 1 | 2 | 3 | 4, id: string, name: string, price: number, tier: Tier): Plan {
  const names = Object.keys(tiers) as Tier[]
  const has = new Set<string>(names.slice(0, names.indexOf(tier) + 1).flatMap((below) => tiers[below]))
  return {
    id,
    name,
    price,
    limits: mapValues(limits, (numbers) => numbers[column]),
    features: mapValues(featureNames, (_, feature) => has.has(feature)),
  }
}

function mapValues<Key extends string, From, To>(
  from: Record<Key, From>,
  to: (value: From, key: Key) => To,
): Record<Key, To> {
  const keys = Object.keys(from) as Key[]
  return Object.fromEntries(keys.map((key) => [key, to(from[key], key)])) as Record<Key, To>
}

const free = plan(0, 'free', 'Free', 0, 'free')

export const plans: readonly Plan[] = [
  free,
  plan(1, 'starter', 'Starter', 29, 'starter'),
  plan(2, 'growth', 'Growth', 99, 'growth'),
  plan(3, 'business', 'Business', 299, 'business'),
  plan(4, 'self-hosted', 'Self-hosted', 0, 'business'),
]

/**
 * A plan alone: what a project may do, with its add-ons, is in entitlements.ts. An unknown plan counts as the free one
 * (SPEC.md 3).
 */
export function planOf(id: string): Plan {
  return plans.find((each) => each.id === id) ?? free
}

/** The list price of a year, rounded to cents. */
export const yearlyPrice = (monthly: number) => Math.round(monthly * 12 * 0.8 * 100) / 100

export const isPlanFeature = (name: string): name is PlanFeature => Object.hasOwn(featureNames, name)
