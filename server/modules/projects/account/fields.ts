import { z } from 'zod'
import { type Account, accountSchema, type CurrentChatbot, currentChatbotSchema } from '../../../contracts/account'
import type { Feature } from '../../../contracts/route'

/** The feature that a role needs to see a field; null: everybody sees it. */
type Guards<Fields> = Record<keyof Fields, Feature | null>

/** Each field has the same guard as the routes that return the same data. */
export const userGuards: Guards<Account['user']> = {
  ui: null,
  account: null,
  settings: null,
  projects: null,
  project_roles: null,
  seat_over: null,
  project: 'project.view',
  chatbots: 'chatbots.view',
  chatbot: 'chatbots.view',
  ai: 'ai.view',
  custom_domain: 'custom_domain.view',
  project_notifications: 'notifications.view',
  usage: 'billing.usage',
  // every screen needs the plan's limits
  subscription: 'project.view',
  // each entry has the guard of what it names
  over_limit: 'project.view',
  billing_addons_subscription: 'billing.addons',
  total_conversations: 'analytics.view',
  onboarding_checklist: 'onboarding.view',
  api_keys: 'api_keys.view',
}

/** Its end and its price. */
export const subscriptionGuards: Guards<Account['user']['subscription']> = {
  plan_id: 'project.view',
  name: 'project.view',
  features: 'project.view',
  features_list: 'project.view',
  price: 'project.view',
  status: 'billing.subscription',
  end_date: 'billing.subscription',
  end_date_formatted: 'billing.subscription',
  cancels_at: 'billing.subscription',
  cancels_at_formatted: 'billing.subscription',
  subscription_price: 'billing.subscription',
  downgrade_schedule: 'billing.subscription',
}

export const chatbotGuards: Guards<CurrentChatbot> = {
  gid: 'chatbots.view',
  egid: 'chatbots.view',
  name: 'chatbots.view',
  type: 'chatbots.view',
  version: 'chatbots.view',
  platform_id: 'chatbots.view',
  fid: 'chatbots.view',
  slug: 'chatbots.view',
  domain: 'chatbots.view',
  business_name: 'chatbots.view',
  business_description: 'chatbots.view',
  setup: 'chatbots.view',
  setup_steps: 'chatbots.view',
  sample: 'chatbots.view',
  over_limit: 'chatbots.view',
  published: 'chatbots.view',
  draft_changed: 'chatbots.view',
  updated_at: 'chatbots.view',
  updated_by: 'chatbots.view',
  visibility: 'chatbots.view',
  visibility_schedules: 'visibility.view',
  hide_urls: 'ai.view',
  whitelisted_domains: 'embed.view',
  interface_language: 'appearance.view',
  end_user_rate_limits: 'settings.view',
  end_user_rate_limit_error: 'settings.view',
  sharing: 'share.view',
  instructions: 'instructions.view',
  ai_model_id: 'ai.view',
  ai_language: 'ai.view',
  ai_temperature: 'ai.view',
  ai: 'ai.view',
  linked_kb: 'knowledge_base.view',
  whatsapp_connection: 'whatsapp.view',
  training_stats: 'knowledge_base.view',
  data_sources: 'knowledge_base.view',
  satisfaction_survey: 'settings.view',
}

/**
 * The account object with fields emptied that the roles may not see. No field is removed, since SPEC.md 3 lists them
 * all.
 */
export function hideUnseen(account: Account, sees: (feature: Feature) => boolean): Account {
  const { user } = accountSchema.shape
  const seen = hide(account.user, userGuards, user, sees)
  return {
    ...account,
    user: {
      ...seen,
      subscription: hide(seen.subscription, subscriptionGuards, user.shape.subscription, sees),
      chatbot: seen.chatbot && hideOfChatbot(seen.chatbot, sees),
    },
  }
}

/** A chatbot with fields emptied that the roles may not see. */
export const hideOfChatbot = (chatbot: CurrentChatbot, sees: (feature: Feature) => boolean): CurrentChatbot =>
  withoutInstructions(hide(chatbot, chatbotGuards, currentChatbotSchema, sees), sees)

/** Instructions are also in the AI settings (SPEC.md 3). */
const withoutInstructions = (chatbot: CurrentChatbot, sees: (feature: Feature) => boolean): CurrentChatbot =>
  sees('instructions.view') ? chatbot : { ...chatbot, ai: { ...chatbot.ai, instructions: '' } }

function hide<Fields extends object>(
  fields: Fields,
  guards: Guards<Fields>,
  schema: z.ZodObject,
  sees: (feature: Feature) => boolean,
): Fields {
  const entries = Object.entries(fields).map(([name, value]) => {
    const feature = guards[name as keyof Fields]
    return [name, feature === null || sees(feature) ? value : emptyOf(schema.shape[name])]
  })
  return Object.fromEntries(entries) as Fields
}

/** The empty value that a schema accepts. */
function emptyOf(schema: unknown): unknown {
  if (schema instanceof z.ZodNullable) return null
  if (schema instanceof z.ZodArray) return []
  if (schema instanceof z.ZodRecord) return {}
  if (schema instanceof z.ZodBoolean) return false
  if (schema instanceof z.ZodNumber) return 0
  if (schema instanceof z.ZodEnum) return schema.options[0]
  if (schema instanceof z.ZodObject)
    return Object.fromEntries(Object.entries(schema.shape).map(([name, field]) => [name, emptyOf(field)]))
  return ''
}
