import { expect, test } from 'vitest'
import type { Account } from '../../server/api/account/contract'
import { landingOf } from './landing'

const account = (roles: number[], chatbots: string[] = []): Account =>
  ({
    user: {
      project: { gid: 'p', name: 'P', default: true },
      project_roles: roles,
      chatbots: chatbots.map((gid) => ({ gid, name: gid })),
      settings: { default_chatbot_id: 'two' },
    },
  }) as unknown as Account

test.each([
  [[6, 2], '/projects/p'],
  [[1], '/projects/p'],
  [[6, 3], '/projects/p/chatbots'],
  [[5, 6], '/projects/p/chatbots/two/builder'],
  [[5], '/projects'],
  [[4], '/projects/p/chatbots'],
  [[], '/projects'],
])('roles %j land on %s', (roles, path) => {
  expect(landingOf(account(roles, ['one', 'two']))).toBe(path)
})

test('a viewer of a project without chatbots lands on their list', () => {
  expect(landingOf(account([6]))).toBe('/projects/p/chatbots')
})
