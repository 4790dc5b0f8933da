import { beforeAll, beforeEach, expect, test, vi } from 'vitest'

/** The worker in place of a browser's: what it listens to, what it shows and which pages it opens. */
type Listener = (event: { waitUntil: (work: Promise<unknown>) => void } & Record<string, unknown>) => void
const listeners = new Map<string, Listener>()
const showNotification = vi.fn(async () => {})
const openWindow = vi.fn(async () => {})
let pages: { url: string; focus: () => Promise<void>; navigate: (url: string) => Promise<void> }[] = []

beforeAll(async () => {
  vi.stubGlobal('addEventListener', (type: string, listener: Listener) => listeners.set(type, listener))
  vi.stubGlobal('registration', { showNotification })
  vi.stubGlobal('clients', { matchAll: async () => pages, openWindow })
  vi.stubGlobal('location', new URL('https://parley.example.org/assets/pushWorker.js'))
  await import('./pushWorker')
})
beforeEach(() => {
  pages = []
  vi.clearAllMocks()
})

async function happen(type: string, event: Record<string, unknown>): Promise<void> {
  let work: Promise<unknown> = Promise.resolve()
  listeners.get(type)?.({ ...event, waitUntil: (given) => (work = given) })
  await work
}
const click = (link: string) => happen('notificationclick', { notification: { close: () => {}, data: { link } } })
const LINK = 'https://parley.example.org/projects/p/chatbots/c/conversations/1'

test('a push is shown as the server words it, and one without content is passed over', async () => {
  await happen('push', { data: { json: () => ({ title: 'Bob asked', body: 'Bot', link: LINK, tag: '7' }) } })
  expect(showNotification).toHaveBeenCalledWith('Bob asked', { body: 'Bot', tag: '7', data: { link: LINK } })
  await happen('push', { data: null })
  expect(showNotification).toHaveBeenCalledTimes(1)
})

test('a click opens the conversation in a page of ours that is open, or else in a new one', async () => {
  await click(LINK)
  expect(openWindow).toHaveBeenCalledWith(LINK)
  const navigate = vi.fn(async () => {})
  const chat = { url: 'https://parley.example.org/c/bot', focus: async () => {}, navigate: async () => {} }
  pages = [chat, { url: 'https://parley.example.org/projects/p', focus: async () => {}, navigate }]
  await click(LINK)
  expect(navigate).toHaveBeenCalledWith(LINK)
  expect(openWindow).toHaveBeenCalledTimes(1)
})

test('a link to another origin opens nothing', async () => {
  await click('https://elsewhere.example.org/projects')
  expect(openWindow).not.toHaveBeenCalled()
})
