import type { ComponentType } from 'react'
import { type RouteObject, redirect } from 'react-router'
import { loadTexts } from '../i18n'
import { builderTexts } from '../screens/builder/texts'
import { loadChunk } from './chunkReload'
import { ErrorPage } from './ErrorPage'
import { GuestLayout } from './GuestLayout'
import { chatbotHome, flowEarly, guestOnly, guestOrInvited, home, withAccount, withSession } from './guards'
import { FirstLoad, Root } from './Root'
import { Shell } from './Shell'
import { NotFound } from './StatusScreens'
import type { ScreenHandle } from './screenHandle'

/** @param texts loaded with the screen: React shows a suspended screen at least 300 ms later */
const screen =
  (load: () => Promise<ComponentType>, texts: readonly string[] = []) =>
  () =>
    loadChunk(async () => {
      const [Component] = await Promise.all([load(), loadTexts(texts)])
      return { Component }
    })
const needs = (feature: string, rest: Omit<ScreenHandle, 'feature'> = {}): ScreenHandle => ({ feature, ...rest })

/** The inbox of a project, and of one chatbot: the same screen with a conversation open or none. */
const inbox: RouteObject[] = ['conversations', 'conversations/:conversation'].map((path) => ({
  path,
  handle: needs('conversations.view', { bleed: true }),
  lazy: screen(async () => (await import('../screens/inbox/InboxScreen')).InboxScreen, ['inbox', 'text', 'comments']),
}))

/** All addresses of SPEC.md 2 with a screen. */
export const routes: RouteObject[] = [
  {
    Component: Root,
    ErrorBoundary: ErrorPage,
    HydrateFallback: FirstLoad,
    children: [
      { path: '/', loader: home },
      {
        loader: guestOnly,
        Component: GuestLayout,
        children: [
          {
            path: 'login',
            lazy: screen(async () => (await import('../screens/auth/LoginScreen')).LoginScreen),
          },
          {
            path: 'register',
            lazy: screen(async () => (await import('../screens/auth/RegisterScreen')).RegisterScreen),
          },
          {
            path: 'reset',
            lazy: screen(async () => (await import('../screens/auth/ResetScreen')).ResetScreen),
          },
          {
            path: 'reset/:token',
            lazy: screen(async () => (await import('../screens/auth/NewPasswordScreen')).NewPasswordScreen),
          },
        ],
      },
      {
        Component: GuestLayout,
        children: [
          {
            path: 'accept-invite',
            loader: guestOrInvited,
            lazy: screen(async () => (await import('../screens/auth/AcceptInviteScreen')).AcceptInviteScreen),
          },
          {
            path: 'confirm-email/:token',
            lazy: screen(async () => (await import('../screens/account/ConfirmEmailScreen')).ConfirmEmailScreen),
          },
        ],
      },
      {
        Component: Shell,
        children: [
          {
            path: 'projects',
            loader: withAccount,
            lazy: screen(async () => (await import('../screens/projects/ProjectsScreen')).ProjectsScreen),
          },
          {
            path: 'oauth/cb/builder/:vendor',
            loader: withSession,
            lazy: screen(
              async () => (await import('../screens/integrations/OAuthCallbackScreen')).OAuthCallbackScreen,
              ['integrations'],
            ),
          },
          {
            path: 'oauth/:vendor/callback',
            loader: withSession,
            lazy: screen(
              async () => (await import('../screens/integrations/OAuthCallbackScreen')).OAuthCallbackScreen,
              ['integrations'],
            ),
          },
          {
            path: 'projects/:pgid',
            loader: withAccount,
            children: [
              {
                index: true,
                handle: needs('dashboard.view'),
                lazy: screen(async () => (await import('../screens/project-home/ProjectHomeScreen')).ProjectHomeScreen),
              },
              {
                path: 'chatbots',
                handle: needs('chatbots.view'),
                lazy: screen(async () => (await import('../screens/chatbots/ChatbotsScreen')).ChatbotsScreen),
              },
              {
                path: 'chatbots/new',
                handle: needs('chatbots.create'),
                lazy: screen(async () => (await import('../screens/chatbots/NewChatbotScreen')).NewChatbotScreen),
              },
              ...inbox,
              {
                path: 'members',
                handle: needs('members.view'),
                lazy: screen(async () => (await import('../screens/members/MembersScreen')).MembersScreen),
              },
              {
                path: 'settings/account',
                handle: needs('project.view'),
                lazy: screen(async () => (await import('../screens/account/AccountScreen')).AccountScreen),
              },
              // SPEC.md 2 gives the one screen two addresses
              { path: 'settings/members', loader: ({ params }) => redirect(`/projects/${params.pgid}/members`) },
              {
                path: 'settings/project/general',
                handle: needs('project.view'),
                lazy: screen(
                  async () => (await import('../screens/project-settings/ProjectSettingsScreen')).ProjectSettingsScreen,
                ),
              },
              {
                path: 'integrations',
                handle: needs('integrations.view'),
                lazy: screen(
                  async () => (await import('../screens/integrations/IntegrationsScreen')).IntegrationsScreen,
                ),
              },
              {
                path: 'settings/project/secrets',
                handle: needs('builder.view'),
                lazy: screen(async () => (await import('../screens/secrets/SecretsScreen')).SecretsScreen),
              },
              {
                path: 'settings/project/mail-inbox',
                handle: needs('notifications.view'),
                lazy: screen(async () => (await import('../screens/mail-inbox/MailInboxScreen')).MailInboxScreen),
              },
              {
                path: 'settings/project/webhooks',
                handle: needs('integrations.view'),
                lazy: screen(async () => (await import('../screens/webhooks/WebhooksScreen')).WebhooksScreen),
              },
              {
                path: 'settings/project/webhooks/:gid',
                handle: needs('integrations.view'),
                lazy: screen(async () => (await import('../screens/webhooks/WebhookScreen')).WebhookScreen),
              },
              {
                path: 'settings/project/api-keys',
                handle: needs('api_keys.view'),
                lazy: screen(async () => (await import('../screens/api-keys/ApiKeysScreen')).ApiKeysScreen),
              },
              {
                path: 'notification-settings',
                handle: needs('conversations.view'),
                lazy: screen(
                  async () =>
                    (await import('../screens/notification-settings/NotificationSettingsScreen'))
                      .NotificationSettingsScreen,
                ),
              },
              {
                path: 'notification-settings/new',
                handle: needs('notifications.update'),
                lazy: screen(
                  async () =>
                    (await import('../screens/notification-settings/NotificationSettingsScreen'))
                      .NewNotificationAddressScreen,
                ),
              },
              {
                path: 'contacts',
                handle: needs('contacts.view'),
                lazy: screen(async () => (await import('../screens/contacts/ContactsScreen')).ContactsScreen),
              },
              {
                path: 'analytics',
                handle: needs('analytics.view'),
                lazy: screen(async () => (await import('../screens/analytics/AnalyticsScreen')).AnalyticsScreen),
              },
              {
                path: 'exports-history',
                handle: needs('exports.view'),
                lazy: screen(async () => (await import('../screens/exports/ExportsScreen')).ExportsScreen),
              },
              {
                path: 'settings/project/outbox',
                handle: needs('notifications.view'),
                lazy: screen(async () => (await import('../screens/outbox/OutboxScreen')).OutboxScreen),
              },
            ],
          },
          {
            path: 'projects/:pgid/chatbots/:cgid',
            loader: withAccount,
            children: [
              { index: true, loader: chatbotHome },
              {
                path: 'builder',
                loader: flowEarly,
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
                  ['translations', 'blocks', 'text'],
                ),
              },
              ...inbox,
              {
                path: 'data-sources',
                handle: needs('knowledge_base.view'),
                lazy: screen(async () => (await import('../screens/data-sources/DataSourcesScreen')).DataSourcesScreen),
              },
              {
                path: 'train',
                handle: needs('knowledge_base.create'),
                lazy: screen(async () => (await import('../screens/train/TrainScreen')).TrainScreen),
              },
              // SPEC.md 2 gives the one screen two addresses
              {
                path: 'knowledge-base',
                loader: ({ params }) => redirect(`/projects/${params.pgid}/chatbots/${params.cgid}/data-sources`),
              },
              {
                path: 'data-sources/new',
                handle: needs('knowledge_base.create'),
                lazy: screen(async () => (await import('../screens/data-sources/new/NewSourceScreen')).NewSourceScreen),
              },
              {
                path: 'data-sources/:gid',
                handle: needs('knowledge_base.view'),
                lazy: screen(async () => (await import('../screens/data-sources/view/SourceScreen')).SourceScreen),
              },
              {
                path: 'instructions',
                handle: needs('instructions.view', { bleed: true }),
                lazy: screen(
                  async () => (await import('../screens/instructions/InstructionsScreen')).InstructionsScreen,
                ),
              },
              {
                path: 'playground',
                handle: needs('playground.view', { bleed: true }),
                lazy: screen(async () => (await import('../screens/playground/PlaygroundScreen')).PlaygroundScreen),
              },
              {
                path: 'test',
                handle: needs('testing.view'),
                lazy: screen(async () => (await import('../screens/evaluations/EvaluationsScreen')).EvaluationsScreen),
              },
              {
                path: 'actions',
                handle: needs('actions.view'),
                lazy: screen(async () => (await import('../screens/actions/ActionsScreen')).ActionsScreen),
              },
              {
                path: 'actions/new',
                handle: needs('actions.create'),
                lazy: screen(async () => (await import('../screens/actions/NewActionScreen')).NewActionScreen),
              },
              {
                path: 'actions/new/:slug',
                handle: needs('actions.create'),
                lazy: screen(async () => (await import('../screens/actions/ActionScreen')).NewActionFormScreen),
              },
              {
                path: 'actions/:actionId',
                handle: needs('actions.view'),
                lazy: screen(async () => (await import('../screens/actions/ActionScreen')).ActionScreen),
              },
              {
                path: 'analytics',
                handle: needs('analytics.view'),
                lazy: screen(async () => (await import('../screens/analytics/AnalyticsScreen')).AnalyticsScreen),
              },
              {
                path: 'results',
                handle: needs('conversations.view'),
                lazy: screen(async () => (await import('../screens/results/ResultsScreen')).ResultsScreen),
              },
              {
                path: 'leads',
                handle: needs('contacts.view'),
                lazy: screen(async () => (await import('../screens/leads/LeadsScreen')).LeadsScreen),
              },
              {
                path: 'leads/index2',
                handle: needs('contacts.view'),
                lazy: screen(async () => (await import('../screens/leads/LeadsScreen')).LeadsBoardScreen),
              },
              {
                path: 'editor',
                handle: needs('appearance.view', { bleed: true }),
                lazy: screen(async () => (await import('../screens/editor/AppearanceScreen')).AppearanceScreen),
              },
              {
                path: 'editor/indexold',
                handle: needs('appearance.view', { bleed: true }),
                lazy: screen(async () => (await import('../screens/editor/AppearanceScreen')).AppearanceFormScreen),
              },
              {
                path: 'integrations/embed',
                handle: needs('embed.view'),
                lazy: screen(async () => (await import('../screens/embed/EmbedScreen')).EmbedScreen),
              },
              {
                path: 'settings/ai',
                handle: needs('ai.view'),
                lazy: screen(async () => (await import('../screens/ai-settings/AiSettingsScreen')).AiSettingsScreen),
              },
              {
                path: 'settings/overview',
                handle: needs('settings.view'),
                lazy: screen(async () => (await import('../screens/overview/OverviewScreen')).OverviewScreen),
              },
              {
                path: 'integrations/share',
                handle: needs('share.view'),
                lazy: screen(async () => (await import('../screens/share/ShareScreen')).ShareScreen),
              },
              {
                path: 'settings/visibility',
                handle: needs('visibility.view'),
                lazy: screen(async () => (await import('../screens/visibility/VisibilityScreen')).VisibilityScreen),
              },
              {
                path: 'settings/survey',
                handle: needs('settings.view'),
                lazy: screen(async () => (await import('../screens/survey/SurveyScreen')).SurveyScreen),
              },
              {
                path: 'settings/whatsapp',
                handle: needs('whatsapp.view'),
                lazy: screen(async () => (await import('../screens/whatsapp/WhatsappScreen')).WhatsappScreen),
              },
              {
                path: 'settings/answers-by-mail',
                handle: needs('settings.view'),
                lazy: screen(
                  async () => (await import('../screens/answers-by-mail/AnswersByMailScreen')).AnswersByMailScreen,
                ),
              },
              {
                path: 'settings/language',
                handle: needs('settings.view'),
                lazy: screen(
                  async () => (await import('../screens/chat-language/ChatLanguageScreen')).ChatLanguageScreen,
                ),
              },
              {
                path: 'settings/general',
                handle: needs('settings.view'),
                lazy: screen(
                  async () => (await import('../screens/chatbot-settings/ChatbotSettingsScreen')).ChatbotSettingsScreen,
                ),
              },
              {
                path: 'settings/domain',
                handle: needs('custom_domain.view'),
                lazy: screen(async () => (await import('../screens/domain/DomainScreen')).DomainScreen),
              },
            ],
          },
        ],
      },
      { path: '*', Component: NotFound },
    ],
  },
]
