import { featureNames, type Plan, type PlanFeature, plans, yearlyPrice } from '../../billing/plans'
import type { Config } from '../../config'
import type { ChecklistKey } from '../../storage/tables'
import type { Chatbot } from '../chatbots/contract'
import { featureRoles } from '../roles'
import type { Account, AgentChecklist, CurrentChatbot, Subscription, Usage } from './contract'

/** SPEC.md 9: the model when none is chosen. */
const DEFAULT_MODEL = 1

const namesOf = (plan: Plan) =>
  (Object.keys(plan.features) as PlanFeature[])
    .filter((feature) => plan.features[feature])
    .map((feature) => featureNames[feature])

export function presentSubscription(plan: Plan): Subscription {
  return {
    plan_id: plan.id,
    name: plan.name,
    status: 'active',
    end_date: null,
    end_date_formatted: null,
    cancels_at: null,
    cancels_at_formatted: null,
    subscription_price: plan.price,
    price: plan.price,
    features: plan.features,
    features_list: namesOf(plan),
    downgrade_schedule: null,
  }
}

/** Credits of parts of the product that don't exist yet are unused. */
export function presentUsage({ limits }: Plan, used: { chatbots: number; seats: number; emails: number }): Usage {
  const unused = (max: number) => ({ max, used: 0 })
  return {
    ai_message_credits: { ...unused(limits.ai_message_credits), lifetime: limits.lifetime_credits, lifetime_used: 0 },
    training_credits: unused(limits.training_credits),
    training_lifetime_credits: 0,
    training_lifetime_credits_used: 0,
    chatbots: { max: limits.chatbots, used: used.chatbots },
    seats: { max: limits.seats, used: used.seats },
    email_credits: { max: limits.email_credits, used: used.emails },
    speech_to_text_seconds: unused(limits.speech_to_text_seconds),
    resync_credits: unused(limits.resync_credits),
    custom_domains: unused(limits.custom_domains),
  }
}

export function presentChecklist(stored: Partial<Record<ChecklistKey, boolean>>): AgentChecklist {
  const item = (key: ChecklistKey) => ({ completed: stored[key] ?? false })
  return {
    dismissed: stored.dismissed ?? false,
    kb: item('kb'),
    actions: item('actions'),
    playground: item('playground'),
    web_customization: item('web_customization'),
    web_deploy: item('web_deploy'),
    ai_settings: item('ai_settings'),
  }
}

/** A chatbot with the settings that every chatbot begins with: the screens that change them come with their tables. */
export function presentCurrentChatbot(chatbot: Chatbot): CurrentChatbot {
  const off = { enabled: false, required: false }
  return {
    ...chatbot,
    visibility: chatbot.published !== null,
    visibility_schedules: [],
    hide_urls: [],
    whitelisted_domains: [],
    interface_language: 'en',
    end_user_rate_limits: [],
    end_user_rate_limit_error: '',
    sharing: { slug: chatbot.slug, password: '', auth_enabled: false },
    instructions: '',
    ai_model_id: DEFAULT_MODEL,
    ai_language: 'auto',
    ai_temperature: 0,
    ai: { model_id: DEFAULT_MODEL, language_id: 'auto', temperature: 0, instructions: '' },
    linked_kb: { id: '', name: '' },
    whatsapp_connection: null,
    training_stats: { count: { total: 0 } },
    data_sources: { links: [], faq: [], text: [], document: [] },
    satisfaction_survey: { enabled: false, rating: { type: 'emoji' }, follow_up: off, resolved: off, feedback: off },
  }
}

/** What is the same for everybody. */
export function presentCatalogues({ smtpUrl, ai }: Pick<Config, 'smtpUrl' | 'ai'>): Omit<Account, 'user'> {
  return {
    mail_server: smtpUrl !== null,
    ai_model: ai?.model ?? null,
    fr: Buffer.from(JSON.stringify(featureRoles)).toString('base64'),
    all_sources: [],
    data_source_types: ['links', 'faq', 'text', 'document'].map((name, at) => ({ id: at + 1, name })),
    v2_upgrade_enabled: false,
    plans: plans.map((plan) => ({
      id: plan.id,
      name: plan.name,
      price: plan.price,
      price_yearly: yearlyPrice(plan.price),
      features_list: namesOf(plan),
    })),
    plans_detail: Object.fromEntries(
      plans.map(({ id, limits, features }) => [id, { limits: { ...limits }, features }]),
    ),
  }
}
