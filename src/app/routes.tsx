import type { ComponentType } from 'react'
import { type RouteObject, redirect } from 'react-router'
import { loadTexts } from '../i18n'
import { builderTexts } from '../screens/builder/texts'
import { loadChunk } from './chunkReload'
import { ErrorPage } from './ErrorPage'
import type { Ahead } from './fetchAhead'
import { GuestLayout } from './GuestLayout'
import { guard } from './guards'
import { FirstLoad, Root } from './Root'
import { Shell } from './Shell'
import { NotFound } from './StatusScreens'
import type { ScreenHandle } from './screenHandle'

/**
 * @param texts loaded with the screen: React shows a suspended screen at least 300 ms later, and what is typed before a
 *   later part suspends can be lost
 */
const screen = (load: () => Promise<ComponentType>, texts: readonly string[]) => {
  const ahead = async () => {
    const [Component] = await Promise.all([load(), loadTexts(texts)])
    return { Component }
  }
  return Object.assign(() => loadChunk(ahead), { ahead } satisfies Ahead)
}
const needs = (feature: string, rest: Omit<ScreenHandle, 'feature'> = {}): ScreenHandle => ({ feature, ...rest })

/** The inbox of a project, and of one chatbot: the same screen with a conversation open or none. */
const inbox: RouteObject[] = ['conversations', 'conversations/:conversation'].map((path) => ({
  path,
  handle: needs('conversations.view', { bleed: true }),
  lazy: screen(
    async () => (await import('../screens/inbox/InboxScreen')).InboxScreen,
    ['answers', 'blocks', 'comments', 'inbox', 'text', 'visibility'],
  ),
}))

/** All addresses of SPEC.md 2 with a screen: one table, however long. */
export const routes: RouteObject[] = [
  {
    Component: Root,
    ErrorBoundary: ErrorPage,
    HydrateFallback: FirstLoad,
    children: [
      { path: '/', loader: guard('home') },
      {
        loader: guard('guestOnly'),
        Component: GuestLayout,
        children: [
          {
            path: 'login',
            lazy: screen(async () => (await import('../screens/auth/LoginScreen')).LoginScreen, ['auth']),
          },
          {
            path: 'register',
            lazy: screen(async () => (await import('../screens/auth/RegisterScreen')).RegisterScreen, ['auth']),
          },
          {
            path: 'reset',
            lazy: screen(async () => (await import('../screens/auth/ResetScreen')).ResetScreen, ['auth']),
          },
          {
            path: 'reset/:token',
            lazy: screen(async () => (await import('../screens/auth/NewPasswordScreen')).NewPasswordScreen, ['auth']),
          },
        ],
      },
      {
        Component: GuestLayout,
        children: [
          {
            path: 'accept-invite',
            loader: guard('guestOrInvited'),
            lazy: screen(
              async () => (await import('../screens/auth/AcceptInviteScreen')).AcceptInviteScreen,
              ['auth', 'members'],
            ),
          },
          {
            // for guests, and for who is logged in by a password where that is not enough
            path: 'sign-on',
            lazy: screen(async () => (await import('../screens/auth/SignOnScreen')).SignOnScreen, ['auth']),
          },
          {
            path: 'confirm-email/:token',
            lazy: screen(
              async () => (await import('../screens/account/ConfirmEmailScreen')).ConfirmEmailScreen,
              ['account'],
            ),
          },
        ],
      },
      {
        Component: Shell,
        children: [
          {
            path: 'projects',
            loader: guard('withAccount'),
            lazy: screen(async () => (await import('../screens/projects/ProjectsScreen')).ProjectsScreen, ['projects']),
          },
          {
            // for whoever has no project, or none that opens without two-factor sign-in
            path: 'account',
            loader: guard('withAccount'),
            lazy: screen(async () => (await import('../screens/account/AccountScreen')).AccountScreen, ['account']),
          },
          {
            path: 'admin',
            loader: guard('withAccount'),
            lazy: screen(async () => (await import('../screens/admin/AdminScreen')).AdminScreen, ['admin']),
          },
          {
            path: 'oauth/cb/builder/:vendor',
            loader: guard('withSession'),
            lazy: screen(
              async () => (await import('../screens/integrations/OAuthCallbackScreen')).OAuthCallbackScreen,
              ['integrations'],
            ),
          },
          {
            path: 'oauth/whatsapp/callback',
            loader: guard('withSession'),
            lazy: screen(
              async () => (await import('../screens/whatsapp/SignupCallbackScreen')).SignupCallbackScreen,
              ['whatsapp'],
            ),
          },
          {
            path: 'oauth/:vendor/callback',
            loader: guard('withSession'),
            lazy: screen(
              async () => (await import('../screens/integrations/OAuthCallbackScreen')).OAuthCallbackScreen,
              ['integrations'],
            ),
          },
          {
            path: 'oauth/kb/:vendor/callback',
            loader: guard('withSession'),
            lazy: screen(
              async () => (await import('../screens/integrations/OAuthCallbackScreen')).OAuthCallbackScreen,
              ['integrations'],
            ),
          },
          {
            path: 'projects/:pgid',
            loader: guard('withAccount'),
            children: [
              {
                index: true,
                handle: needs('dashboard.view'),
                lazy: screen(
                  async () => (await import('../screens/project-home/ProjectHomeScreen')).ProjectHomeScreen,
                  ['chatbots', 'firstSteps', 'projects'],
                ),
              },
              {
                path: 'chatbots',
                handle: needs('chatbots.view'),
                lazy: screen(
                  async () => (await import('../screens/chatbots/ChatbotsScreen')).ChatbotsScreen,
                  ['chatbots'],
                ),
              },
              {
                path: 'chatbots/new',
                handle: needs('chatbots.create'),
                lazy: screen(
                  async () => (await import('../screens/chatbots/NewChatbotScreen')).NewChatbotScreen,
                  ['chatbots', 'templates'],
                ),
              },
              ...inbox,
              {
                path: 'members',
                handle: needs('members.view'),
                lazy: screen(async () => (await import('../screens/members/MembersScreen')).MembersScreen, ['members']),
              },
              {
                path: 'settings/account',
                handle: needs('project.view'),
                lazy: screen(async () => (await import('../screens/account/AccountScreen')).AccountScreen, ['account']),
              },
              // SPEC.md 2 gives the one screen two addresses
              { path: 'settings/members', loader: ({ params }) => redirect(`/projects/${params.pgid}/members`) },
              {
                path: 'settings/project/general',
                handle: needs('project.view'),
                lazy: screen(
                  async () => (await import('../screens/project-settings/ProjectSettingsScreen')).ProjectSettingsScreen,
                  ['members', 'projects', 'retention', 'storage'],
                ),
              },
              {
                path: 'settings/project/security',
                handle: needs('security.update'),
                lazy: screen(
                  async () => (await import('../screens/project-security/SecurityScreen')).SecurityScreen,
                  ['members', 'security', 'signOn'],
                ),
              },
              {
                path: 'settings/billing/subscription',
                handle: needs('billing.subscription', { billing: true }),
                lazy: screen(
                  async () => (await import('../screens/billing/SubscriptionScreen')).SubscriptionScreen,
                  ['billing'],
                ),
              },
              {
                path: 'settings/billing/usage',
                handle: needs('billing.usage'),
                lazy: screen(async () => (await import('../screens/billing/UsageScreen')).UsageScreen, ['billing']),
              },
              {
                path: 'settings/billing/plans',
                handle: needs('billing.plans', { billing: true }),
                lazy: screen(async () => (await import('../screens/billing/PlansScreen')).PlansScreen, ['billing']),
              },
              {
                path: 'settings/billing/addons',
                handle: needs('billing.addons', { billing: true }),
                lazy: screen(async () => (await import('../screens/billing/AddonsScreen')).AddonsScreen, ['billing']),
              },
              {
                path: 'settings/billing/bonus-credits',
                handle: needs('billing.bonus_credits', { billing: true }),
                lazy: screen(
                  async () => (await import('../screens/billing/BonusCreditsScreen')).BonusCreditsScreen,
                  ['billing'],
                ),
              },
              {
                path: 'integrations',
                handle: needs('integrations.view'),
                lazy: screen(
                  async () => (await import('../screens/integrations/IntegrationsScreen')).IntegrationsScreen,
                  ['integrations'],
                ),
              },
              {
                path: 'settings/project/secrets',
                handle: needs('builder.view'),
                lazy: screen(
                  async () => (await import('../screens/secrets/SecretsScreen')).SecretsScreen,
                  ['secrets', 'text'],
                ),
              },
              {
                path: 'settings/project/mail-inbox',
                handle: needs('notifications.view'),
                lazy: screen(
                  async () => (await import('../screens/mail-inbox/MailInboxScreen')).MailInboxScreen,
                  ['mailInbox'],
                ),
              },
              {
                path: 'settings/project/webhooks',
                handle: needs('integrations.view'),
                lazy: screen(
                  async () => (await import('../screens/webhooks/WebhooksScreen')).WebhooksScreen,
                  ['webhooks'],
                ),
              },
              {
                path: 'settings/project/webhooks/:gid',
                handle: needs('integrations.view'),
                lazy: screen(
                  async () => (await import('../screens/webhooks/WebhookScreen')).WebhookScreen,
                  ['webhooks'],
                ),
              },
              {
                path: 'settings/project/api-keys',
                handle: needs('api_keys.view'),
                lazy: screen(
                  async () => (await import('../screens/api-keys/ApiKeysScreen')).ApiKeysScreen,
                  ['apiKeys'],
                ),
              },
              {
                path: 'settings/project/api-keys/reference',
                handle: needs('api_keys.view'),
                lazy: screen(
                  async () => (await import('../screens/api-reference/ApiReferenceScreen')).ApiReferenceScreen,
                  ['apiReference'],
                ),
              },
              {
                path: 'notification-settings',
                handle: needs('conversations.view'),
                lazy: screen(
                  async () =>
                    (await import('../screens/notification-settings/NotificationSettingsScreen'))
                      .NotificationSettingsScreen,
                  ['notifications'],
                ),
              },
              {
                path: 'notification-settings/new',
                handle: needs('notifications.update'),
                lazy: screen(
                  async () =>
                    (await import('../screens/notification-settings/NotificationSettingsScreen'))
                      .NewNotificationAddressScreen,
                  ['notifications'],
                ),
              },
              {
                path: 'contacts',
                handle: needs('contacts.view'),
                lazy: screen(
                  async () => (await import('../screens/contacts/ContactsScreen')).ContactsScreen,
                  ['contacts'],
                ),
              },
              {
                path: 'analytics',
                handle: needs('analytics.view'),
                lazy: screen(
                  async () => (await import('../screens/analytics/AnalyticsScreen')).AnalyticsScreen,
                  ['analytics'],
                ),
              },
              {
                path: 'buttons',
                handle: needs('project.view'),
                lazy: screen(async () => (await import('../screens/buttons/ButtonsScreen')).ButtonsScreen, ['buttons']),
              },
              {
                path: 'exports-history',
                handle: needs('exports.view'),
                lazy: screen(async () => (await import('../screens/exports/ExportsScreen')).ExportsScreen, ['exports']),
              },
              {
                path: 'settings/project/audit-log',
                handle: needs('project.audit'),
                lazy: screen(
                  async () => (await import('../screens/audit-log/AuditLogScreen')).AuditLogScreen,
                  ['auditLog'],
                ),
              },
              {
                path: 'settings/project/outbox',
                handle: needs('notifications.view'),
                lazy: screen(async () => (await import('../screens/outbox/OutboxScreen')).OutboxScreen, ['outbox']),
              },
            ],
          },
          {
            path: 'projects/:pgid/chatbots/:cgid',
            loader: guard('withAccount'),
            children: [
              { index: true, loader: guard('chatbotHome') },
              // of a chatbot's project, and a way back
              {
                path: 'bonus-credits',
                loader: ({ params }) =>
                  redirect(`/projects/${params.pgid}/settings/billing/bonus-credits?chatbot_gid=${params.cgid}`),
              },
              {
                path: 'builder',
                loader: guard('flowEarly'),
                handle: needs('builder.view', { bleed: 'slim' }),
                lazy: screen(
                  async () => (await import('../screens/builder/BuilderScreen')).BuilderScreen,
                  builderTexts,
                ),
              },
              {
                path: 'builder/translations',
                handle: needs('builder.view', { bleed: 'slim' }),
                lazy: screen(
                  async () => (await import('../screens/translations/TranslationsScreen')).TranslationsScreen,
                  ['blocks', 'text', 'translations'],
                ),
              },
              ...inbox,
              {
                path: 'data-sources',
                handle: needs('knowledge_base.view'),
                lazy: screen(
                  async () => (await import('../screens/data-sources/DataSourcesScreen')).DataSourcesScreen,
                  ['sources'],
                ),
              },
              {
                path: 'train',
                handle: needs('knowledge_base.create'),
                lazy: screen(
                  async () => (await import('../screens/train/TrainScreen')).TrainScreen,
                  ['answerParts', 'answers', 'testEffects', 'train'],
                ),
              },
              // SPEC.md 2 gives the one screen two addresses
              {
                path: 'knowledge-base',
                loader: ({ params }) => redirect(`/projects/${params.pgid}/chatbots/${params.cgid}/data-sources`),
              },
              {
                path: 'data-sources/new',
                handle: needs('knowledge_base.create'),
                lazy: screen(
                  async () => (await import('../screens/data-sources/new/NewSourceScreen')).NewSourceScreen,
                  ['newSource', 'sources', 'text'],
                ),
              },
              {
                path: 'data-sources/:gid',
                handle: needs('knowledge_base.view'),
                lazy: screen(
                  async () => (await import('../screens/data-sources/view/SourceScreen')).SourceScreen,
                  ['newSource', 'sources', 'text'],
                ),
              },
              {
                path: 'instructions',
                handle: needs('instructions.view', { bleed: true }),
                lazy: screen(
                  async () => (await import('../screens/instructions/InstructionsScreen')).InstructionsScreen,
                  ['answerParts', 'answers', 'instructions', 'testEffects'],
                ),
              },
              {
                path: 'playground',
                handle: needs('playground.view', { bleed: true }),
                lazy: screen(
                  async () => (await import('../screens/playground/PlaygroundScreen')).PlaygroundScreen,
                  ['answerParts', 'answers', 'playground', 'testEffects'],
                ),
              },
              {
                path: 'test',
                handle: needs('testing.view'),
                lazy: screen(
                  async () => (await import('../screens/evaluations/EvaluationsScreen')).EvaluationsScreen,
                  ['answers', 'evaluations'],
                ),
              },
              {
                path: 'unanswered',
                handle: needs('knowledge_base.view'),
                lazy: screen(
                  async () => (await import('../screens/unanswered/UnansweredScreen')).UnansweredScreen,
                  ['newSource', 'unanswered'],
                ),
              },
              {
                path: 'actions',
                handle: needs('actions.view'),
                lazy: screen(
                  async () => (await import('../screens/actions/ActionsScreen')).ActionsScreen,
                  ['actions', 'testEffects', 'toolServers'],
                ),
              },
              {
                path: 'actions/new',
                handle: needs('actions.create'),
                lazy: screen(
                  async () => (await import('../screens/actions/NewActionScreen')).NewActionScreen,
                  ['actions'],
                ),
              },
              {
                path: 'actions/new/:slug',
                handle: needs('actions.create'),
                lazy: screen(
                  async () => (await import('../screens/actions/ActionScreen')).NewActionFormScreen,
                  ['actions', 'answerParts', 'testEffects'],
                ),
              },
              {
                path: 'actions/:actionId',
                handle: needs('actions.view'),
                lazy: screen(
                  async () => (await import('../screens/actions/ActionScreen')).ActionScreen,
                  ['actions', 'answerParts', 'testEffects'],
                ),
              },
              {
                path: 'analytics',
                handle: needs('analytics.view'),
                lazy: screen(
                  async () => (await import('../screens/analytics/AnalyticsScreen')).AnalyticsScreen,
                  ['analytics'],
                ),
              },
              {
                path: 'results',
                handle: needs('conversations.view'),
                lazy: screen(async () => (await import('../screens/results/ResultsScreen')).ResultsScreen, ['results']),
              },
              {
                path: 'leads',
                handle: needs('contacts.view'),
                lazy: screen(async () => (await import('../screens/leads/LeadsScreen')).LeadsScreen, ['leads']),
              },
              {
                path: 'leads/index2',
                handle: needs('contacts.view'),
                lazy: screen(async () => (await import('../screens/leads/LeadsScreen')).LeadsBoardScreen, ['leads']),
              },
              {
                path: 'editor',
                handle: needs('appearance.view', { bleed: true }),
                lazy: screen(
                  async () => (await import('../screens/editor/AppearanceScreen')).AppearanceScreen,
                  ['appearance'],
                ),
              },
              {
                path: 'editor/indexold',
                handle: needs('appearance.view', { bleed: true }),
                lazy: screen(
                  async () => (await import('../screens/editor/AppearanceScreen')).AppearanceFormScreen,
                  ['appearance'],
                ),
              },
              {
                path: 'integrations/embed',
                handle: needs('embed.view'),
                lazy: screen(
                  async () => (await import('../screens/embed/EmbedScreen')).EmbedScreen,
                  ['embed', 'share'],
                ),
              },
              {
                path: 'settings/ai',
                handle: needs('ai.view'),
                lazy: screen(
                  async () => (await import('../screens/ai-settings/AiSettingsScreen')).AiSettingsScreen,
                  ['aiSettings'],
                ),
              },
              {
                path: 'settings/overview',
                handle: needs('settings.view'),
                lazy: screen(
                  async () => (await import('../screens/overview/OverviewScreen')).OverviewScreen,
                  ['overview'],
                ),
              },
              {
                path: 'integrations/share',
                handle: needs('share.view'),
                lazy: screen(
                  async () => (await import('../screens/share/ShareScreen')).ShareScreen,
                  ['chatbots', 'share'],
                ),
              },
              {
                path: 'settings/visibility',
                handle: needs('visibility.view'),
                lazy: screen(
                  async () => (await import('../screens/visibility/VisibilityScreen')).VisibilityScreen,
                  ['visibility'],
                ),
              },
              {
                path: 'settings/survey',
                handle: needs('settings.view'),
                lazy: screen(async () => (await import('../screens/survey/SurveyScreen')).SurveyScreen, ['survey']),
              },
              {
                path: 'settings/whatsapp',
                handle: needs('whatsapp.view'),
                lazy: screen(
                  async () => (await import('../screens/whatsapp/WhatsappScreen')).WhatsappScreen,
                  ['whatsapp', 'contacts'],
                ),
              },
              {
                path: 'settings/message-api',
                handle: needs('integrations.view'),
                lazy: screen(
                  async () => (await import('../screens/message-api/MessageApiScreen')).MessageApiScreen,
                  ['messageApi'],
                ),
              },
              {
                path: 'settings/answers-by-mail',
                handle: needs('settings.view'),
                lazy: screen(
                  async () => (await import('../screens/answers-by-mail/AnswersByMailScreen')).AnswersByMailScreen,
                  ['answersByMail'],
                ),
              },
              {
                path: 'settings/language',
                handle: needs('settings.view'),
                lazy: screen(
                  async () => (await import('../screens/chat-language/ChatLanguageScreen')).ChatLanguageScreen,
                  ['chatLanguage'],
                ),
              },
              {
                path: 'settings/general',
                handle: needs('settings.view'),
                lazy: screen(
                  async () => (await import('../screens/chatbot-settings/ChatbotSettingsScreen')).ChatbotSettingsScreen,
                  ['chatbots'],
                ),
              },
              {
                path: 'settings/domain',
                handle: needs('custom_domain.view'),
                lazy: screen(async () => (await import('../screens/domain/DomainScreen')).DomainScreen, ['domain']),
              },
            ],
          },
        ],
      },
      { path: '*', Component: NotFound },
    ],
  },
]
