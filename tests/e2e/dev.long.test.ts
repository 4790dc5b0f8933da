import { afterAll, beforeAll, expect, test } from 'vitest'
import { createChatbot } from '../../server/contracts/chatbots'
import { type BuiltApp, startDevApp } from '../support/app'
import { launchBrowser, type TestBrowser } from '../support/browser'
import { pathOf } from '../support/client'
import { group, ready, registerOwner } from './steps'

let app: BuiltApp
let browser: TestBrowser
beforeAll(async () => {
  ;[app, browser] = await Promise.all([startDevApp(), launchBrowser()])
})
afterAll(async () => {
  await browser.close()
  expect(await app.stop()).toBe(0)
})

test('npm run dev serves the builder, its modules and its socket', async () => {
  const { page, context } = browser
  await registerOwner(page, app)
  const pgid = page.url().split('/').at(-1) ?? ''
  const xsrf = (await context.cookies()).find(({ name }) => name === 'XSRF-TOKEN')?.value ?? ''
  const answer = await context.request.post(`${app.url}${pathOf(createChatbot.path, { pgid })}`, {
    data: { name: 'Bot' },
    headers: { 'x-xsrf-token': decodeURIComponent(xsrf) },
  })
  const { chatbot } = createChatbot.answer.parse((await answer.json()).data)
  await page.goto(`${app.url}/projects/${pgid}/chatbots/${chatbot.gid}/builder`)
  // some thousand modules come one by one, and are made as they are asked for
  await group(page, 'Start').waitFor()
  await ready(page)

  // and what pages of other sites load: the line's script names the launcher, which holds the chat in a frame
  const loader = await context.request.get(`${app.url}/embed.js`)
  const [launcher = ''] = /\/assets\/launcher-[\w-]+\.js/.exec(await loader.text()) ?? []
  const made = await context.request.get(app.url + launcher)
  expect([loader.status(), made.status()]).toEqual([200, 200])
  expect(made.headers()['access-control-allow-origin']).toBe('*')
  await page.goto(`${app.url}/embed/@${chatbot.egid}`)
  await page.getByRole('heading', { name: 'This chatbot is not available' }).waitFor()
})
