import type { RouteObject } from 'react-router'
import { expect, test } from 'vitest'
import { featureRoles } from '../../server/access/roles'
import { isAllowed } from '../api/roles'
import { chatbotPlaces, chatbotPlacesBelow, inGroups, isOffered, projectPlaces, projectPlacesBelow } from './places'
import { routes } from './routes'
import type { ScreenHandle } from './screenHandle'

const PROJECT = '/projects/:pgid'
const CHATBOT = '/projects/:pgid/chatbots/:cgid'
const ROLES = [1, 2, 3, 4, 5, 6]
const everybody = '123456'

/** Who sees which screen of a project: role numbers of SPEC.md 6. */
const screens: Record<string, string> = {
  [PROJECT]: '12',
  [`${PROJECT}/chatbots`]: '12346',
  [`${PROJECT}/chatbots/new`]: '123',
  [`${PROJECT}/conversations`]: '124',
  [`${PROJECT}/conversations/:conversation`]: '124',
  [`${PROJECT}/contacts`]: '124',
  [`${PROJECT}/analytics`]: '124',
  [`${PROJECT}/buttons`]: '123456',
  [`${PROJECT}/exports-history`]: '124',
  [`${PROJECT}/members`]: '12',
  [`${PROJECT}/settings/account`]: everybody,
  [`${PROJECT}/settings/project/general`]: everybody,
  [`${PROJECT}/settings/project/security`]: '12',
  [`${PROJECT}/settings/billing/subscription`]: '125',
  [`${PROJECT}/settings/billing/usage`]: '12345',
  [`${PROJECT}/settings/billing/plans`]: '12345',
  [`${PROJECT}/settings/billing/addons`]: '125',
  [`${PROJECT}/settings/billing/bonus-credits`]: '125',
  [`${PROJECT}/integrations`]: '123',
  [`${PROJECT}/settings/project/secrets`]: '1236',
  [`${PROJECT}/settings/project/api-keys`]: '12',
  [`${PROJECT}/settings/project/api-keys/reference`]: '12',
  [`${PROJECT}/settings/project/webhooks`]: '123',
  [`${PROJECT}/settings/project/webhooks/:gid`]: '123',
  [`${PROJECT}/notification-settings`]: '124',
  [`${PROJECT}/notification-settings/new`]: '12',
  [`${PROJECT}/settings/project/outbox`]: '12',
  [`${PROJECT}/settings/project/audit-log`]: '12',
  [`${PROJECT}/settings/project/mail-inbox`]: '12',
  [`${CHATBOT}/builder`]: '1236',
  [`${CHATBOT}/builder/translations`]: '1236',
  [`${CHATBOT}/train`]: '123',
  [`${CHATBOT}/conversations`]: '124',
  [`${CHATBOT}/conversations/:conversation`]: '124',
  [`${CHATBOT}/data-sources`]: '123',
  [`${CHATBOT}/data-sources/new`]: '123',
  [`${CHATBOT}/data-sources/:gid`]: '123',
  [`${CHATBOT}/instructions`]: '123',
  [`${CHATBOT}/unanswered`]: '123',
  [`${CHATBOT}/playground`]: '1236',
  [`${CHATBOT}/test`]: '1236',
  [`${CHATBOT}/actions`]: '123',
  [`${CHATBOT}/actions/new`]: '123',
  [`${CHATBOT}/actions/new/:slug`]: '123',
  [`${CHATBOT}/actions/:actionId`]: '123',
  [`${CHATBOT}/analytics`]: '124',
  [`${CHATBOT}/results`]: '124',
  [`${CHATBOT}/leads`]: '124',
  [`${CHATBOT}/leads/index2`]: '124',
  [`${CHATBOT}/editor`]: '123',
  [`${CHATBOT}/editor/indexold`]: '123',
  [`${CHATBOT}/integrations/embed`]: '123',
  [`${CHATBOT}/settings/ai`]: '123',
  [`${CHATBOT}/settings/overview`]: '123',
  [`${CHATBOT}/integrations/share`]: '123',
  [`${CHATBOT}/settings/visibility`]: '123',
  [`${CHATBOT}/settings/survey`]: '123',
  [`${CHATBOT}/settings/whatsapp`]: '123',
  [`${CHATBOT}/settings/message-api`]: '123',
  [`${CHATBOT}/settings/answers-by-mail`]: '123',
  [`${CHATBOT}/settings/language`]: '123',
  [`${CHATBOT}/settings/general`]: '123',
  [`${CHATBOT}/settings/domain`]: '12',
}

const allowed = (feature: string) =>
  ROLES.filter((role) =>
    isAllowed(feature, [role], featureRoles as unknown as Record<string, Record<string, number[]>>),
  ).join('')

/** All addresses of screens with their features, and whether they are there with billing alone. */
function screensIn(list: RouteObject[], above = ''): [path: string, feature?: string, billing?: boolean][] {
  return list.flatMap((route) => {
    const path = route.path?.startsWith('/') || !route.path ? (route.path ?? above) : `${above}/${route.path}`
    const handle = route.handle as ScreenHandle | undefined
    const own: [string, string?, boolean?][] = route.lazy ? [[path, handle?.feature, handle?.billing]] : []
    return [...own, ...screensIn(route.children ?? [], path)]
  })
}
const found = screensIn(routes)

test('every screen of a project names the feature that it wants, and is open to those roles and no others', () => {
  const ofProjects = found.filter(([path]) => path.startsWith(PROJECT))
  expect(Object.fromEntries(ofProjects.map(([path, feature]) => [path, allowed(feature ?? '')]))).toEqual(screens)
})

test('the navigation offers each role the screens that it may see, and no other', () => {
  const places = [
    ...projectPlaces.map(({ path, ...place }) => ({ ...place, path: PROJECT + path })),
    ...chatbotPlaces.map(({ path, ...place }) => ({ ...place, path: CHATBOT + path })),
  ]
  const offered = (role: number) => places.filter(({ feature }) => allowed(feature).includes(String(role)))
  for (const role of ROLES) {
    const wanted = Object.keys(screens).filter(
      (path) =>
        screens[path]?.includes(String(role)) &&
        !/\/(new|train|settings\/account|billing\/(plans|addons|bonus-credits)|buttons|api-keys\/reference|leads\/index2|editor\/indexold|builder\/translations|:gid|:slug|:actionId|:conversation)$/.test(
          path,
        ),
    )
    const paths = offered(role).map(({ path }) => path)
    expect(paths.sort(), `role ${role}`).toEqual(wanted.sort())
  }
  // a viewer: the chatbots, the project, the builder for viewing and testing, the playground
  expect(offered(6).map(({ text }) => text)).toEqual([
    'chatbots',
    'projectSettings',
    'secrets',
    'builder',
    'playground',
    'evaluations',
  ])
  expect(offered(5).map(({ text }) => text)).toEqual(['projectSettings', 'subscription', 'usage'])
})

test('without billing, the usage is all that is offered about plans, and their screens are marked as not there', () => {
  const aboutPlans = [...projectPlaces, ...projectPlacesBelow].filter(({ feature }) => feature.startsWith('billing.'))
  const offered = (billing: boolean) =>
    aboutPlans.filter((place) => isOffered(place, () => true, billing)).map(({ text }) => text)
  expect(offered(true)).toEqual(['subscription', 'usage', 'plans', 'addons', 'bonusCredits'])
  expect(offered(false)).toEqual(['usage'])
  expect(aboutPlans.filter((place) => isOffered(place, () => false, true))).toEqual([])
  const hidden = aboutPlans.filter(({ billing }) => billing).map(({ path }) => PROJECT + path)
  expect(found.filter(([, , billing]) => billing).map(([path]) => path)).toEqual(hidden)
})

test('the places of a group stand together, under one heading', () => {
  for (const places of [projectPlaces, chatbotPlaces]) {
    const groups = inGroups(places).map(({ group }) => group)
    expect(groups).toEqual([...new Set(groups)])
    // what is in no group comes first
    expect(groups.slice(1)).not.toContain(undefined)
  }
})

/** Screens that an action of the palette opens, and one that the training on a website alone leads to. */
const opened = ['/chatbots/new', '/notification-settings/new', '/data-sources/new', '/actions/new', '/train']

test('the palette offers every screen that is no single thing of many', () => {
  const offered = [
    ...[...projectPlaces, ...projectPlacesBelow].map(({ path }) => PROJECT + path),
    ...[...chatbotPlaces, ...chatbotPlacesBelow].map(({ path }) => CHATBOT + path),
  ]
  const left = Object.keys(screens).filter(
    (path) => !offered.includes(path) && !/:(gid|slug|actionId|conversation)$/.test(path),
  )
  expect(left.filter((path) => !opened.some((end) => path.endsWith(end)))).toEqual([])
})
