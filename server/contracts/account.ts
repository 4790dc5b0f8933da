import { z } from 'zod'
import { chatbotSchema } from './chatbots'
import { interfaceLanguages } from './languages'
import { readOnlySchema } from './limits'
import { pictureSchema } from './pictures'
import { projectSchema } from './projects'
import { defineRoute, gid } from './route'
import { visibilitySchema } from './web/settings'

/** The account object of SPEC.md 3 and 7: the interface's state about the user and the open project. */
const pair = z.strictObject({ max: z.number(), used: z.number() })
const toggle = z.strictObject({ enabled: z.boolean(), emails: z.array(z.string()) })
const asked = z.strictObject({ enabled: z.boolean(), required: z.boolean() })
const sourceRef = z.strictObject({ id: z.string() })
const verification = z.strictObject({ name: z.string(), type: z.string(), value: z.string(), status: z.string() })
const done = z.strictObject({ completed: z.boolean() })

export const settingsSchema = z.strictObject({
  onboarding_survey_completed: z.boolean(),
  onboarding_displayed: z.boolean(),
  hide_onboarding_checklist: z.boolean(),
  hide_v2_upgrade_announcement: z.boolean(),
  hide_builder_tutorial_video_popup: z.boolean(),
  hide_contact_variables_deprecation_popup: z.boolean(),
  show_feature_vote_1: z.boolean(),
  default_chatbot_id: gid.nullable(),
  /** of the interface and of mails; null: not known yet */
  language: z.enum(interfaceLanguages).nullable(),
})
export type Settings = z.infer<typeof settingsSchema>

export const usageSchema = z.strictObject({
  ai_message_credits: pair.extend({ lifetime: z.number(), lifetime_used: z.number() }),
  training_credits: pair,
  training_lifetime_credits: z.number(),
  training_lifetime_credits_used: z.number(),
  chatbots: pair,
  seats: pair,
  email_credits: pair,
  speech_to_text_seconds: pair,
  resync_credits: pair,
  custom_domains: pair,
})
export type Usage = z.infer<typeof usageSchema>

export const subscriptionSchema = z.strictObject({
  plan_id: z.string(),
  name: z.string(),
  status: z.string(),
  /** null: no end */
  end_date: z.string().nullable(),
  end_date_formatted: z.string().nullable(),
  cancels_at: z.string().nullable(),
  cancels_at_formatted: z.string().nullable(),
  /** the monthly amount paid; `price` is the list price */
  subscription_price: z.number(),
  price: z.number(),
  features: z.record(z.string(), z.boolean()),
  features_list: z.array(z.string()),
  downgrade_schedule: z.strictObject({ plan_id: z.string(), at: z.string() }).nullable(),
})
export type Subscription = z.infer<typeof subscriptionSchema>

/** The open chatbot (SPEC.md 3, Chatbot). */
export const currentChatbotSchema = chatbotSchema.extend({
  visibility: visibilitySchema.shape.visibility.unwrap(),
  /** the hours of each day that has some, and the days that are otherwise; none: there is no schedule */
  visibility_schedules: z.array(
    z.strictObject({
      /** `monday` to `sunday`, or a date */
      day: z.string(),
      time_zone: z.string(),
      hours: z.array(z.strictObject({ from: z.int(), to: z.int() })),
    }),
  ),
  hide_urls: z.array(z.string()),
  whitelisted_domains: z.array(z.string()),
  interface_language: z.string(),
  /** messages within so many seconds */
  end_user_rate_limits: z.array(
    z.strictObject({ by: z.enum(['visitor', 'address', 'chatbot']), messages: z.int(), seconds: z.int() }),
  ),
  end_user_rate_limit_error: z.string(),
  /** `password`: whether one is asked; which, nobody is told */
  sharing: z.strictObject({ slug: z.string(), password: z.boolean(), auth_enabled: z.boolean() }),
  instructions: z.string(),
  ai_model_id: z.int(),
  ai_language: z.string(),
  ai_temperature: z.number(),
  ai: z.strictObject({ model_id: z.int(), language_id: z.string(), temperature: z.number(), instructions: z.string() }),
  linked_kb: z.strictObject({ id: z.string(), name: z.string() }),
  whatsapp_connection: z
    .strictObject({
      id: z.string(),
      status_id: z.int(),
      phone_number: z.string(),
      phone_number_registered: z.boolean(),
    })
    .nullable(),
  training_stats: z.strictObject({ count: z.strictObject({ total: z.int() }) }),
  data_sources: z.strictObject({
    links: z.array(sourceRef),
    faq: z.array(sourceRef),
    text: z.array(sourceRef),
    document: z.array(sourceRef),
  }),
  satisfaction_survey: z.strictObject({
    enabled: z.boolean(),
    rating: z.strictObject({ type: z.enum(['emoji', 'text']) }),
    follow_up: asked,
    resolved: asked,
    feedback: asked,
    after_minutes: z.int(),
  }),
})
export type CurrentChatbot = z.infer<typeof currentChatbotSchema>

/**
 * A chatbot with all its settings (SPEC.md 3), as far as the caller's roles show them: what is kept back is empty, as
 * in the account object.
 */
export const readWholeChatbot = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/chatbots/:cgid/whole',
  access: { feature: 'chatbots.view' },
  params: z.strictObject({ pgid: gid, cgid: gid }),
  answer: z.strictObject({ chatbot: currentChatbotSchema }),
})

export const agentChecklistSchema = z.strictObject({
  dismissed: z.boolean(),
  kb: done,
  actions: done,
  playground: done,
  web_customization: done,
  web_deploy: done,
  ai_settings: done,
})
export type AgentChecklist = z.infer<typeof agentChecklistSchema>

export const planSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  /** per month; 20 % less if paid yearly */
  price: z.number(),
  price_yearly: z.number(),
  features_list: z.array(z.string()),
})
export const planDetailSchema = z.strictObject({
  limits: z.record(z.string(), z.number()),
  features: z.record(z.string(), z.boolean()),
})

export const accountSchema = z.strictObject({
  user: z.strictObject({
    /** the user's id */
    ui: z.string(),
    /** the key as in SPEC.md 7 */
    account: z.strictObject({
      email: z.string(),
      first_name: z.string(),
      last_name: z.string(),
      picture: pictureSchema,
      wa_beta_enabled: z.boolean(),
      emailed_verified: z.boolean(),
      /**
       * whether product analytics know the person by name. Parley does them itself, and asks: once they have answered
       * the survey at the beginning or voted for a feature, which is kept under their account
       */
      ph_identified: z.boolean(),
    }),
    settings: settingsSchema,
    /** null: the account has no project */
    project: projectSchema.nullable(),
    projects: z.array(projectSchema),
    project_roles: z.array(z.int()),
    /** their own seat is over the plan's limit: they can read alone */
    seat_over: z.boolean(),
    /** what of the project can only be read, as far as they may see it */
    over_limit: readOnlySchema,
    /** `version`: 1 has a testing view, 2 a builder; `sample`: to look at alone */
    chatbots: z.array(z.strictObject({ gid, name: z.string(), version: z.int(), sample: z.boolean() })),
    /** null: none is open */
    chatbot: currentChatbotSchema.nullable(),
    ai: z.strictObject({
      models: z.array(z.strictObject({ id: z.int(), name: z.string(), supports_actions: z.boolean() })),
      languages: z.array(z.strictObject({ name: z.string(), code: z.string() })),
    }),
    custom_domain: z.strictObject({
      widget: z
        .strictObject({
          id: z.string(),
          hostname: z.string(),
          type: z.string(),
          status: z.string(),
          ownership_verification: verification,
          ssl_verification: verification,
        })
        .nullable(),
    }),
    project_notifications: z.strictObject({
      new_contact: toggle,
      new_conversation: toggle,
      ai_credits_usage: toggle.extend({
        thresholds: z.strictObject({ '50': z.boolean(), '75': z.boolean(), '90': z.boolean(), '100': z.boolean() }),
      }),
    }),
    usage: usageSchema,
    subscription: subscriptionSchema,
    billing_addons_subscription: z.array(z.strictObject({ id: z.int(), quantity: z.int() })),
    total_conversations: z.int(),
    onboarding_checklist: z.strictObject({ agent: agentChecklistSchema }),
    api_keys: z.array(z.strictObject({ preview: z.string(), name: z.string(), id: z.string(), timestamp: z.string() })),
  }),
  /** the features-to-roles map: base64 of JSON, { group: { feature: role numbers } } */
  fr: z.string(),
  all_sources: z.array(z.strictObject({ id: z.string(), type: z.string(), name: z.string() })),
  data_source_types: z.array(z.strictObject({ id: z.int(), name: z.string() })),
  /** the project has chatbots of version 1 that the user may make agents */
  v2_upgrade_enabled: z.boolean(),
  /** false: mails stay in the project's outbox */
  mail_server: z.boolean(),
  /** the origin of chat pages if separate; null: the builder's */
  chat_url: z.string().nullable(),
  /** whether the screens about plans and add-ons are shown */
  billing: z.boolean(),
  /** the environment's model for AI blocks; null: none */
  ai_model: z.string().nullable(),
  plans: z.array(planSchema),
  /** by plan id */
  plans_detail: z.record(z.string(), planDetailSchema),
})
export type Account = z.infer<typeof accountSchema>

/** Without ids: the account's default project, no chatbot. A chatbot's id alone determines its project too. */
export const dashboard = defineRoute({
  method: 'POST',
  path: '/api/dashboard',
  access: 'user',
  body: z.strictObject({ cgid: gid.nullish(), pgid: gid.nullish() }),
  answer: accountSchema,
})

/** What the plan allows and what was used, of each meter. */
export const readUsage = defineRoute({
  method: 'GET',
  path: '/api/projects/:pgid/usage',
  access: { feature: 'billing.usage' },
  params: z.strictObject({ pgid: gid }),
  answer: z.strictObject({ plan: z.string(), usage: usageSchema }),
})

const change = z.boolean().nullish()
/** null or absent: unchanged */
export const updateSettings = defineRoute({
  method: 'POST',
  path: '/api/user/update/settings',
  access: 'user',
  body: z.strictObject({
    hide_v2_upgrade_announcement: change,
    hide_builder_tutorial_video_popup: change,
    hide_contact_variables_deprecation_popup: change,
    language: z.enum(interfaceLanguages).nullish(),
  }),
  answer: settingsSchema,
})

/** Null or absent: unchanged. */
export const updateAgentChecklist = defineRoute({
  method: 'POST',
  path: '/api/projects/agent-onboarding-checklist',
  access: { feature: 'onboarding.dismiss' },
  body: z.strictObject({
    pgid: gid,
    dismissed: change,
    completed: z
      .strictObject({
        kb: change,
        actions: change,
        playground: change,
        ai_settings: change,
        web_customization: change,
        web_deploy: change,
      })
      .nullish(),
  }),
  answer: agentChecklistSchema,
})
