import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { Account } from '../../server/contracts/account'
import { startI18n } from '../i18n'
import {
  chatbotAdded,
  chatbotRemoved,
  chatbotRenamed,
  loadAccount,
  projectRenamed,
  resetAccount,
  useAccountStore,
} from './account'

/** What the browser holds of the account (SPEC.md 4). The server's answers are counted. */
let calls = 0
let works = true
const gids = () => useAccountStore.getState().account?.user.chatbots.map(({ gid }) => gid)
const bot = (gid: string) => ({ gid, name: gid, version: 2 as const, sample: false })
const project = { gid: 'p', name: 'Shop' }

beforeAll(() => {
  startI18n()
  vi.stubGlobal('document', { cookie: 'XSRF-TOKEN=t' })
  vi.stubGlobal('fetch', async () => {
    calls++
    if (!works) return new Response('{"success":false,"data":"x"}', { status: 500 })
    const chatbots = [bot('a'), bot('b')]
    const usage = { chatbots: { max: 5, used: 2 } }
    const user = { project, projects: [project, { gid: 'q', name: 'Other' }], chatbot: bot('a'), chatbots, usage }
    return new Response(JSON.stringify({ success: true, data: { user, fr: 'e30=' } }))
  })
})
afterAll(() => vi.unstubAllGlobals())
beforeEach(async () => {
  resetAccount('all')
  works = true
  await loadAccount()
  calls = 0
})

const state = () => useAccountStore.getState()
const user = () => state().account?.user as Account['user']

test('is loaded once the call succeeded, not again unless it has to be, and no failure makes it so', async () => {
  expect(state().loaded).toBe(true)
  await loadAccount({ pgid: 'p', cgid: 'a' })
  expect(calls).toBe(0)
  await loadAccount({ pgid: 'p' }, true)
  expect(calls).toBe(1)
  // another place is another account object
  await loadAccount({ pgid: 'other' })
  expect(calls).toBe(2)
  resetAccount('all')
  works = false
  await expect(loadAccount()).rejects.toThrow('2007')
  expect(state()).toMatchObject({ loaded: false, account: null })
})

test('is reset in its chatbot alone, or wholly', () => {
  resetAccount('chatbot')
  expect(state()).toMatchObject({ loaded: true, account: { user: { chatbot: null, project } } })
  resetAccount('all')
  expect(state()).toEqual({ loaded: false, account: null, featureRoles: null })
})

test('its chatbots are added at either end, renamed in list and head, and removed, with the meter', () => {
  chatbotAdded(bot('c'))
  chatbotAdded(bot('d'), 'start')
  expect([gids(), user().usage.chatbots.used]).toEqual([['d', 'a', 'b', 'c'], 4])
  chatbotRenamed('a', 'New')
  expect([user().chatbot?.name, user().chatbots[1]?.name]).toEqual(['New', 'New'])
  chatbotRemoved('a')
  expect([gids(), user().chatbot, user().usage.chatbots.used]).toEqual([['d', 'b', 'c'], null, 3])
})

test('a project’s new name stands in the list as well, an empty one is ignored', () => {
  projectRenamed('p', '  ')
  expect(user().project?.name).toBe('Shop')
  projectRenamed('p', 'Lamps')
  expect([user().project?.name, user().projects.map(({ name }) => name)]).toEqual(['Lamps', ['Lamps', 'Other']])
})
