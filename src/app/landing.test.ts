import { expect, test } from 'vitest'
import type { Account } from '../../server/contracts/account'
import { chatbotLandingOf, landingOf } from './landing'

const account = (roles: number[], chatbots: string[] = [], billing = true, version = 2): Account =>
  ({
    billing,
    user: {
      project: { gid: 'p', name: 'P', default: true },
      project_roles: roles,
      chatbots: chatbots.map((gid) => ({ gid, name: gid, version })),
      settings: { default_chatbot_id: 'two' },
    },
  }) as unknown as Account

test.each([
  [[6, 2], '/projects/p'],
  [[1], '/projects/p'],
  [[6, 3], '/projects/p/chatbots/two/data-sources'],
  [[5, 6], '/projects/p/chatbots/two/builder'],
  [[5], '/projects/p/settings/billing/subscription'],
  [[4], '/projects/p/chatbots/two/analytics'],
  [[4, 5], '/projects/p/settings/billing/subscription'],
  [[], '/projects'],
])('roles %j land on %s', (roles, path) => {
  expect(landingOf(account(roles, ['one', 'two']))).toBe(path)
})

test('a viewer of a chatbot of version 1 lands on its testing view, and others where they do', () => {
  expect(landingOf(account([6], ['two'], true, 1))).toBe('/projects/p/chatbots/two/playground')
  expect(landingOf(account([3], ['two'], true, 1))).toBe('/projects/p/chatbots/two/data-sources')
})

test.each([
  [1, 6, 'playground'],
  [2, 6, 'builder'],
  [1, 4, 'analytics'],
])('a chatbot of version %i opens for role %i with its %s', (version, role, screen) => {
  const readers = { builder: { view: [1, 2, 3, 6] }, playground: { view: [1, 2, 3, 6] } }
  const user = { project_roles: [role], chatbot: { version } }
  expect(chatbotLandingOf({ user, fr: btoa(JSON.stringify(readers)) } as unknown as Account)).toBe(screen)
})

test.each([[[6]], [[3]], [[4]]])('roles %j of a project without chatbots land on their list', (roles) => {
  expect(landingOf(account(roles))).toBe('/projects/p/chatbots')
})

test('who cares for the plan lands on the usage where there are no screens about plans', () => {
  expect(landingOf(account([5], [], false))).toBe('/projects/p/settings/billing/usage')
})
