const project = '/projects/:pgid'
const chatbot = `${project}/chatbots/:cgid`
const below = (base: string, paths: string): string[] => paths.split(' ').map((path) => `${base}/${path}`)

/**
 * All addresses of the interface's screens (SPEC.md 2), in the router's syntax: the server answers others with 404.
 * `:pgid` and `:cgid` are ids.
 */
export const screenPaths: readonly string[] = [
  '/',
  ...below(
    '',
    'login register reset reset/:token sign-on accept-invite confirm-email/:token projects account admin oauth/cb/builder/:vendor oauth/whatsapp/callback oauth/:vendor/callback oauth/kb/:vendor/callback',
  ),
  project,
  ...below(
    project,
    'buttons chatbots chatbots/new integrations conversations conversations/:conversation contacts analytics exports-history members settings/account settings/members settings/project/general settings/project/security settings/billing/subscription settings/billing/usage settings/billing/plans settings/billing/addons settings/billing/bonus-credits settings/project/api-keys settings/project/api-keys/reference ' +
      'settings/project/secrets settings/project/audit-log settings/project/webhooks settings/project/webhooks/:gid settings/project/mail-inbox settings/project/outbox notification-settings notification-settings/new',
  ),
  chatbot,
  ...below(
    chatbot,
    'bonus-credits builder builder/translations train conversations conversations/:conversation data-sources knowledge-base data-sources/new data-sources/:gid instructions playground test unanswered actions actions/new ' +
      'actions/new/:slug actions/:actionId analytics results leads leads/index2 editor editor/indexold settings/ai settings/general settings/domain ' +
      'settings/overview settings/visibility settings/survey settings/whatsapp settings/message-api settings/answers-by-mail settings/language integrations/share integrations/embed',
  ),
]

/** Screens of a project that only an installation with billing has. */
const billingPath = /\/(?:settings\/billing\/(?:subscription|plans|addons)|bonus-credits)\/?$/i

const shape = (path: string) =>
  new RegExp(`^${path.replace(/:pgid|:cgid/g, '[a-z0-9]{16}').replace(/:\w+/g, '[^/]+')}/?$`, 'i')
const shapes = screenPaths.map(shape)

/** The address of `screenPaths` that a path is one of: it names no id. null: it is no screen's. */
export const screenPathOf = (path: string): string | null =>
  screenPaths[shapes.findIndex((each) => each.test(path))] ?? null

/** What a link contains if its creator had no id. */
const NO_ID = '(?:undefined|null)'
const withoutId = new RegExp(`^/projects/(?:${NO_ID}/.*|[a-z0-9]{16}/chatbots/${NO_ID}/.*)$`, 'i')

/**
 * Classifies an address of the interface: a screen, a screen with a missing id (SPEC.md 2 redirects these to /), or
 * unknown.
 * @param path without a query
 * @param billing whether the installation has the screens about plans
 */
export function placeOf(path: string, billing: boolean): 'screen' | 'no-id' | 'unknown' {
  if (shapes.some((each) => each.test(path))) return billing || !billingPath.test(path) ? 'screen' : 'unknown'
  return withoutId.test(path) ? 'no-id' : 'unknown'
}
