import { expect, test } from 'vitest'
import { featureRoles, isAllowed, landings, Role, rolesOf } from './roles'

/** The table of PRODUCT.md, copied. */
const table: [groups: string, rows: string][] = [
  ['dashboard', 'view 1,2'],
  ['project', 'view 1-6; update 1,2; delete, transfer 1; export, audit 1,2'],
  ['members', 'view, invite, update, remove 1,2'],
  ['chatbots', 'view 1,2,3,4,6; create, update, duplicate 1,2,3; delete 1,2'],
  ['knowledge_base', 'view, create, update, delete, resync, link, connect 1,2,3'],
  ['instructions, ai', 'view, update 1,2,3'],
  ['actions', 'view, create, update, delete, test 1,2,3'],
  ['builder', 'view 1,2,3,6; update, publish, rollback, variables, intents, comment 1,2,3'],
  ['playground, testing', 'view, use 1,2,3,6'],
  ['appearance, settings, visibility', 'view, update 1,2,3'],
  ['security', 'update 1,2'],
  ['custom_domain', 'view, update, delete 1,2'],
  ['whatsapp', 'view, profile, broadcast 1,2,3; connect, disconnect 1,2'],
  ['integrations', 'view 1,2,3; connect, disconnect 1,2'],
  ['embed, share', 'view 1,2,3; update 1,2,3'],
  ['conversations', 'view, reply, update, delete, export 1,2,4'],
  ['contacts', 'view, create, update, delete, export, erase 1,2,4'],
  ['analytics', 'view, export 1,2,4'],
  ['exports', 'view, download, delete 1,2,4'],
  ['notifications', 'view, update 1,2'],
  ['api_keys', 'view, create, delete 1,2'],
  [
    'billing',
    'plans, usage 1,2,3,4,5; subscription, invoices, checkout, cancel, addons, bonus_credits 1,2,5; limits 1',
  ],
  ['onboarding', 'view, dismiss 1,2,3'],
]

function readTable(): Record<string, Record<string, number[]>> {
  const map: Record<string, Record<string, number[]>> = {}
  for (const [groups, rows] of table) {
    for (const group of groups.split(', ')) {
      const features: Record<string, number[]> = {}
      for (const row of rows.split('; ')) {
        const [, names = '', numbers = ''] = /^(.*) ([\d,-]+)$/.exec(row) ?? []
        const roles = numbers === '1-6' ? [1, 2, 3, 4, 5, 6] : numbers.split(',').map(Number)
        for (const name of names.split(', ')) features[name] = roles
      }
      map[group] = features
    }
  }
  return map
}

test("the map is the product's table, no more and no less", () => {
  expect(featureRoles).toEqual(readTable())
})

test('what is not in the map is denied to everybody, names of Object included', () => {
  const everybody = Object.values(Role)
  for (const feature of [
    'chatbots.fly',
    'nothing.view',
    'constructor.name',
    'chatbots.constructor',
    '__proto__.x',
    '.',
  ] as const) {
    expect(rolesOf(feature)).toEqual([])
    expect(isAllowed(everybody, feature)).toBe(false)
  }
  expect(isAllowed([], 'project.view')).toBe(false)
  expect(isAllowed([7, 0, -1], 'project.view')).toBe(false)
})

test('any one of several roles is enough', () => {
  expect(isAllowed([Role.BILLING, Role.VIEWER], 'builder.view')).toBe(true)
  expect(isAllowed([Role.BILLING, Role.VIEWER], 'builder.update')).toBe(false)
})

test('every role may see the screen that it lands on', () => {
  const landing = landings.flatMap(({ roles, feature }) => roles.map((role) => ({ role, feature })))
  expect(landing.map(({ role }) => role).sort()).toEqual([1, 2, 3, 4, 5, 6])
  for (const { role, feature } of landing) expect(isAllowed([role], feature), `${role} ${feature}`).toBe(true)
})
