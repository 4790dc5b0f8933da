const project = '/projects/:pgid'
const chatbot = `${project}/chatbots/:cgid`
const below = (base: string, paths: string): string[] => paths.split(' ').map((path) => `${base}/${path}`)

/**
 * Every address that has a screen of the interface (SPEC.md 2), as the router has them: the server answers any other with 404.
 * `:pgid` and `:cgid` are ids.
 */
export const screenPaths: readonly string[] = [
  '/',
  ...below('', 'login register reset reset/:token accept-invite confirm-email/:token projects'),
  project,
  ...below(
    project,
    'chatbots chatbots/new members settings/account settings/members settings/project/general settings/project/api-keys ' +
      'settings/project/secrets settings/project/outbox notification-settings notification-settings/new',
  ),
  chatbot,
  ...below(
    chatbot,
    'builder train conversations/:conversation data-sources knowledge-base data-sources/new data-sources/:gid instructions playground test actions actions/new ' +
      'actions/new/:slug actions/:actionId leads settings/ai settings/general',
  ),
]

const shape = (path: string) =>
  new RegExp(`^${path.replace(/:pgid|:cgid/g, '[a-z0-9]{16}').replace(/:\w+/g, '[^/]+')}/?$`, 'i')
const shapes = screenPaths.map(shape)

/** Ids that a link holds when whoever wrote it had none. */
const NO_ID = '(?:undefined|null)'
const withoutId = new RegExp(`^/projects/(?:${NO_ID}/.*|[a-z0-9]{16}/chatbots/${NO_ID}/.*)$`, 'i')

/**
 * What an address of the interface is: a screen, one below a project or a chatbot that no id is given of (SPEC.md 2 redirects these to /),
 * or unknown.
 * @param path without a query
 */
export function placeOf(path: string): 'screen' | 'no-id' | 'unknown' {
  if (shapes.some((each) => each.test(path))) return 'screen'
  return withoutId.test(path) ? 'no-id' : 'unknown'
}
