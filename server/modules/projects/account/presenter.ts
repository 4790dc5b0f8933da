import type { z } from 'zod'
import { caps } from '../../../../engine/values/caps'
import { type Addons, addons, bonusOf } from '../../../access/addons'
import { type Entitled, entitlementsOf } from '../../../access/entitlements'
import { changesChatbot, isLeftToOver, isOfAgents } from '../../../access/overLimit'
import {
  featureNames,
  type Plan,
  type PlanFeature,
  type PlanLimits,
  planOf,
  plans,
  yearlyPrice,
} from '../../../access/plans'
import { featureRoles } from '../../../access/roles'
import type { Account, AgentChecklist, CurrentChatbot, Subscription, Usage } from '../../../contracts/account'
import type { AiSettings, Model } from '../../../contracts/ai'
import type { readEntitlements } from '../../../contracts/billing'
import type { Chatbot } from '../../../contracts/chatbots'
import type { Feature } from '../../../contracts/route'
import type { SourceKind } from '../../../contracts/sources'
import type { VisibilitySettings } from '../../../contracts/web/settings'
import type { Config } from '../../../platform/config/config'
import { sendsMails } from '../../../platform/config/mailSettings'
import { languageCodes } from '../../models/languageCodes'
import type { ChecklistKey } from '../../onboarding/checklist'
import { isLive, type SubscriptionState } from '../../subscriptions/subscriptionState'
import type { WebChat } from '../../web/webSettings'
import type { ChatbotContents } from './chatbotContents'

const namesOf = (plan: Plan) =>
  (Object.keys(plan.features) as PlanFeature[])
    .filter((feature) => plan.features[feature])
    .map((feature) => featureNames[feature])

/** @param state what the project pays by Stripe, or paid at last; null: nothing, and its plan has no end */
export function presentSubscription(plan: Plan, state: SubscriptionState | null = null): Subscription {
  const end = state && (state.ended_at ?? state.period_end)
  const { cancel_at = null, scheduled = null } = state ?? {}
  return {
    plan_id: plan.id,
    name: plan.name,
    status: state?.status ?? 'active',
    end_date: end,
    end_date_formatted: end && formatDay(end),
    cancels_at: cancel_at,
    cancels_at_formatted: cancel_at && formatDay(cancel_at),
    subscription_price: isLive(state) ? monthlyPrice(state) : plan.price,
    price: plan.price,
    features: plan.features,
    features_list: namesOf(plan),
    downgrade_schedule: scheduled && { plan_id: scheduled.plan_id, at: scheduled.at },
  }
}

/** What a month costs, add-ons included: a twelfth of what a year does, rounded to cents. */
const monthlyPrice = ({ cents, interval }: SubscriptionState): number =>
  Math.round(interval === 'year' ? cents / 12 : cents) / 100

/** `Dec 24, 2026`: SPEC.md 3 wants dates as they are shown beside them. */
const formatDay = (date: string): string =>
  new Date(date).toLocaleDateString('en', { timeZone: 'UTC', dateStyle: 'medium' })

/** The add-ons that a project has, in the order of their ids. */
export const presentAddons = (bought: Addons): Account['user']['billing_addons_subscription'] =>
  addons.map(({ id }) => ({ id, quantity: bought[id] ?? 0 })).filter(({ quantity }) => quantity > 0)

/** What a project may do, and what of it comes from its plan. */
export function presentEntitlements(project: Entitled): z.infer<typeof readEntitlements.answer> {
  const plan = planOf(project.plan_id)
  const total = entitlementsOf(project).limits
  return {
    plan: plan.name,
    limits: (Object.keys(total) as (keyof PlanLimits)[]).map((limit) => ({
      ...{ limit, plan: plan.limits[limit], total: total[limit] },
    })),
    addons: addons.map(({ id, name, price, adds, feature }) => ({
      ...{ id, name, price, adds: { ...adds }, quantity: project.addons[id] ?? 0 },
      feature: feature ? featureNames[feature] : null,
    })),
  }
}

interface Used {
  chatbots: number
  seats: number
  emails: number
  speech: number
  messages: { month: number; lifetime: number }
  training: number
  trainingOnce: number
  resyncs: number
  domains: number
}

/** @param given the project's add-ons, with what it was given once */
export function presentUsage({ limits }: Plan, given: Addons, used: Used): Usage {
  return {
    ai_message_credits: {
      max: limits.ai_message_credits,
      used: used.messages.month,
      lifetime: limits.lifetime_credits,
      lifetime_used: used.messages.lifetime,
    },
    training_credits: { max: limits.training_credits, used: used.training },
    training_lifetime_credits: bonusOf(given).training,
    training_lifetime_credits_used: used.trainingOnce,
    chatbots: { max: limits.chatbots, used: used.chatbots },
    seats: { max: limits.seats, used: used.seats },
    email_credits: { max: limits.email_credits, used: used.emails },
    speech_to_text_seconds: { max: limits.speech_to_text_seconds, used: used.speech },
    resync_credits: { max: limits.resync_credits, used: used.resyncs },
    custom_domains: { max: limits.custom_domains, used: used.domains },
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

type CreditNotices = Account['user']['project_notifications']['ai_credits_usage']

/** Settings of mails about used-up credits. @param notices null: the caller may not see them */
export function presentCreditNotices(
  notices: { enabled: boolean; emails: string[]; thresholds: number[] } | null,
): CreditNotices {
  const at = (threshold: number) => notices?.thresholds.includes(threshold) ?? false
  return {
    enabled: notices?.enabled ?? false,
    emails: notices?.emails ?? [],
    thresholds: { '50': at(50), '75': at(75), '90': at(90), '100': at(100) },
  }
}

/** The available models, and the languages for answers. */
export const presentAi = (models: Model[]): Account['user']['ai'] => ({
  models: models
    .filter(({ available }) => available)
    .map(({ id, name, supports_actions }) => ({ id, name, supports_actions })),
  languages: Object.entries(languageCodes).map(([name, code]) => ({ name, code })),
})

/** A chatbot with its settings. */
export function presentCurrentChatbot(
  chatbot: Chatbot,
  ai: AiSettings,
  { instructions, linked_kb, sources, trained_on, whatsapp }: ChatbotContents,
  web: WebChat & { hasPassword: boolean },
): CurrentChatbot {
  const { model_id, temperature, language } = ai
  const { limits } = web.visibility
  const named = (gids: readonly string[]) => gids.map((id) => ({ id }))
  return {
    ...chatbot,
    visibility: web.visibility.visibility,
    visibility_schedules: presentSchedule(web.visibility.schedule),
    hide_urls: ai.hide_urls,
    whitelisted_domains: web.embed.whitelisted_domains,
    interface_language: web.language.interface_language,
    end_user_rate_limits: (['visitor', 'address', 'chatbot'] as const)
      .map((by) => ({ by, messages: limits[`by_${by}`], seconds: 60 }))
      .filter(({ messages }) => messages > 0),
    end_user_rate_limit_error: limits.message,
    sharing: { slug: chatbot.slug, password: web.hasPassword, auth_enabled: web.share.auth_enabled },
    instructions,
    ai_model_id: model_id,
    ai_language: language,
    ai_temperature: temperature,
    ai: { model_id, language_id: languageCodes[language], temperature, instructions },
    linked_kb: linked_kb ?? { id: '', name: '' },
    whatsapp_connection: whatsapp && {
      id: whatsapp.gid,
      // SPEC.md names no values: 1 works, 2 has to be connected again
      status_id: whatsapp.problem === null ? 1 : 2,
      phone_number: whatsapp.phone_number.slice(0, caps.phone),
      phone_number_registered: whatsapp.registered,
    },
    training_stats: { count: { total: trained_on } },
    data_sources: {
      links: named(sources.link),
      faq: named(sources.faq),
      text: named(sources.text),
      document: named(sources.document),
    },
    satisfaction_survey: web.survey,
  }
}

const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday']

export function presentSchedule({ enabled, time_zone, week, exceptions }: VisibilitySettings['schedule']) {
  if (!enabled) return []
  const days = week.map((hours, index) => ({ day: weekdays[index] ?? '', time_zone, hours }))
  const otherwise = exceptions.map(({ date, hours }) => ({ day: date, time_zone, hours }))
  return [...days.filter(({ hours }) => hours.length > 0), ...otherwise]
}

/** What is published of a chatbot over the limit can be taken back; the route that publishes refuses. */
const UNPUBLISHES: Feature = 'builder.publish'

/** What takes features away: the member's seat, or the open chatbot, is over the limit; it is none of version 2. */
interface Without {
  seat: boolean
  chatbot: boolean
  version1: boolean
}

/** The roles of each feature, without those that are left to nobody here. */
const featuresWithin = (over: Without): typeof featureRoles =>
  Object.fromEntries(
    Object.entries(featureRoles).map(([group, features]) => [
      group,
      Object.fromEntries(
        Object.entries(features).map(([name, roles]) => {
          const feature = `${group}.${name}` as const
          const isOfChatbot = changesChatbot(feature) && feature !== UNPUBLISHES
          const isRefused =
            (over.seat && !isLeftToOver(feature)) ||
            (over.chatbot && isOfChatbot) ||
            (over.version1 && isOfAgents(feature))
          return [name, isRefused ? [] : roles]
        }),
      ),
    ]),
  )

/** The account's names for kinds of sources. */
const sourceTypes: Record<SourceKind, string> = { link: 'links', faq: 'faq', text: 'text', document: 'document' }

/** The lists of a chatbot's sources. */
export const presentSources = (
  rows: readonly { gid: string; kind: SourceKind; title: string }[],
): Account['all_sources'] => rows.map(({ gid, kind, title }) => ({ id: gid, type: sourceTypes[kind], name: title }))

/**
 * Data that is the same for everybody, but for the map of features.
 * @param over then the map lacks what is refused, so that screens show what can only be read
 */
export function presentCatalogues(
  { smtpUrl, sendgrid, ai, chatUrl, billing }: Pick<Config, 'smtpUrl' | 'sendgrid' | 'ai' | 'chatUrl' | 'billing'>,
  over: Without,
): Omit<Account, 'user' | 'all_sources' | 'v2_upgrade_enabled'> {
  return {
    mail_server: sendsMails({ smtpUrl, sendgrid }),
    chat_url: chatUrl,
    billing,
    ai_model: ai?.model ?? null,
    fr: Buffer.from(JSON.stringify(featuresWithin(over))).toString('base64'),
    data_source_types: Object.values(sourceTypes).map((name, at) => ({ id: at + 1, name })),
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
