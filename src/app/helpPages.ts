import { matchPath } from 'react-router'

const project = '/projects/:pgid'
const chatbot = `${project}/chatbots/:cgid`

const within = (base: string, pages: Readonly<Record<string, string>>): [string, string][] =>
  Object.entries(pages).map(([path, page]) => [path === '' ? base : `${base}/${path}`, page])

/** The page of the documentation (src/docs) that explains each screen, by the screen's address in the router. */
export const helpPages: ReadonlyMap<string, string> = new Map([
  ['/', 'editors/first-chatbot'],
  ...within('', {
    login: 'editors/project#your-account',
    'sign-on': 'editors/project#your-account',
    register: 'operators/install#people',
    reset: 'editors/project#your-account',
    'reset/:token': 'editors/project#your-account',
    'accept-invite': 'editors/project#members-and-roles',
    'confirm-email/:token': 'editors/project#your-account',
    account: 'editors/project#your-account',
    projects: 'editors/project',
    admin: 'operators/admin',
    'oauth/cb/builder/:vendor': 'editors/integrations#connect-an-account',
    'oauth/whatsapp/callback': 'editors/whatsapp#connect-a-number',
    'oauth/:vendor/callback': 'editors/integrations#connect-an-account',
    'oauth/kb/:vendor/callback': 'editors/knowledge#add-sources',
  }),
  ...within(project, {
    '': 'editors/project',
    buttons: 'developers/block-kind',
    chatbots: 'editors/first-chatbot',
    'chatbots/new': 'editors/first-chatbot#make-one',
    integrations: 'editors/integrations',
    conversations: 'support/inbox',
    'conversations/:conversation': 'support/inbox#answer',
    contacts: 'support/contacts',
    analytics: 'editors/analytics',
    'exports-history': 'editors/import-export#data',
    members: 'editors/project#members-and-roles',
    'settings/account': 'editors/project#your-account',
    'settings/members': 'editors/project#members-and-roles',
    'settings/project/general': 'editors/project#project-settings',
    'settings/project/security': 'editors/security',
    'settings/billing/subscription': 'editors/billing',
    'settings/billing/usage': 'editors/billing',
    'settings/billing/plans': 'editors/billing',
    'settings/billing/addons': 'editors/billing',
    'settings/billing/bonus-credits': 'editors/billing',
    'settings/project/api-keys': 'developers/api#keys',
    'settings/project/api-keys/reference': 'developers/api#calls',
    'settings/project/secrets': 'editors/integrations#secrets',
    'settings/project/webhooks': 'developers/webhooks',
    'settings/project/webhooks/:gid': 'developers/webhooks#what-you-can-count-on',
    'settings/project/mail-inbox': 'support/mail#replies-by-mail',
    'settings/project/outbox': 'support/mail#outbox',
    'settings/project/audit-log': 'editors/project#audit-log',
    'notification-settings': 'support/notifications',
    'notification-settings/new': 'support/notifications',
  }),
  ...within(chatbot, {
    '': 'editors/canvas',
    'bonus-credits': 'editors/billing',
    builder: 'editors/canvas',
    'builder/translations': 'editors/translations',
    train: 'editors/knowledge',
    conversations: 'support/inbox',
    'conversations/:conversation': 'support/inbox#answer',
    'data-sources': 'editors/knowledge',
    'knowledge-base': 'editors/knowledge',
    'data-sources/new': 'editors/knowledge#add-sources',
    'data-sources/:gid': 'editors/knowledge#look-inside',
    instructions: 'editors/agents#instructions',
    playground: 'editors/playground',
    test: 'editors/evaluations',
    unanswered: 'editors/unanswered',
    actions: 'editors/agents#actions',
    'actions/new': 'editors/agents#actions',
    'actions/new/:slug': 'editors/agents#actions',
    'actions/:actionId': 'editors/agents#actions',
    analytics: 'editors/analytics',
    results: 'editors/analytics#results',
    leads: 'support/leads',
    'leads/index2': 'support/leads',
    editor: 'editors/appearance',
    'editor/indexold': 'editors/appearance',
    'settings/ai': 'editors/agents#ai-settings',
    'settings/general': 'editors/first-chatbot',
    'settings/domain': 'editors/sharing#domain',
    'settings/overview': 'editors/sharing#overview',
    'settings/visibility': 'editors/sharing#visibility',
    'settings/survey': 'editors/appearance#survey',
    'settings/whatsapp': 'editors/whatsapp',
    'settings/message-api': 'developers/message-api',
    'settings/answers-by-mail': 'support/mail#answers-by-mail',
    'settings/language': 'editors/translations',
    'integrations/share': 'editors/sharing#share',
    'integrations/embed': 'editors/embedding',
  }),
])

/**
 * The address of the documentation's page about the screen that is open; its first page for an address without a
 * screen. The documentation is no part of the app: the address is another document.
 */
export function helpUrl(pathname: string): string {
  const page = helpPages.get(pathname) ?? found(pathname)
  return `/docs/${page ?? ''}`
}

/** What has a name is asked before what has a parameter in its place: `chatbots/new` is no chatbot. */
const found = (pathname: string): string | undefined => {
  const matching = [...helpPages].filter(([path]) => matchPath(path, pathname))
  const [first] = matching.sort(([one], [other]) => one.split(':').length - other.split(':').length)
  return first?.[1]
}
