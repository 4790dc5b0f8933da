import { afterAll, afterEach, expect, test } from 'vitest'
import { createTestClock } from '../../../tests/support/clock'
import { makeChatbot } from '../../../tests/support/collab'
import type { Registered } from '../../../tests/support/server'
import { startWhatsappServer } from '../../../tests/support/vendors/whatsapp/whatsappServer'
import { disconnectWhatsapp, readWhatsapp } from '../../contracts/whatsapp'
import { beginSignup, connectSignup, finishSignup } from '../../contracts/whatsappSignup'

/** Connecting a number by consenting at Meta (Embedded Signup by redirect), against the stand-in's dialog. */
const clock = createTestClock('2026-11-24T10:00:00Z')
const started = await startWhatsappServer({
  clock,
  env: ({ origin, state: { appId, appSecret, configuration } }) => ({
    ...{ WHATSAPP_DIALOG_URL: origin, WHATSAPP_CLIENT_ID: appId },
    ...{ WHATSAPP_CLIENT_SECRET: appSecret, WHATSAPP_SIGNUP_CONFIG: configuration },
  }),
})
const { whatsapp, server, ada, place } = started
afterAll(started.close)
afterEach(() => expect(whatsapp.broken).toEqual([]))

async function chatbotOf(owner: Registered) {
  const { pgid, cgid } = await makeChatbot(owner)
  return { pgid, cgid }
}

/** What a person does at Meta. @returns what Meta sends back in the address */
async function consent(url: string, decision = 'allow') {
  const page = await fetch(url)
  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('Share this number')])
  const { headers } = await fetch(url, {
    ...{ method: 'POST', redirect: 'manual', body: new URLSearchParams({ decision }) },
  })
  const back = new URL(headers.get('location') ?? '')
  expect(`${back.origin}${back.pathname}`).toBe(`${server.url}/oauth/whatsapp/callback`)
  const [state, code] = ['state', 'code'].map((name) => back.searchParams.get(name) ?? '')
  return { state: state ?? '', code: code ?? '' }
}
const begin = async (owner = ada, params = place) => (await owner.call(beginSignup, { params })).url
const post = (owner: Registered, path: string, body: object, { pgid, cgid } = place) =>
  owner.send('POST', `/api/projects/${pgid}/chatbots/${cgid}/whatsapp/signup/${path}`, body)

test('a person consents at Meta, chooses a number, and it is connected as by hand', async () => {
  const { grant, numbers } = await ada.call(finishSignup, { params: place, body: await consent(await begin()) })
  const { businessId, number, appId } = whatsapp.state
  expect(numbers).toEqual(
    whatsapp.state.numbers.map(({ id, display, name }) => ({
      ...{ business_id: businessId, number_id: id, phone_number: display, name },
    })),
  )
  expect(grant).not.toContain(whatsapp.state.token)
  const body = { grant, business_id: businessId, number_id: number.id, pin: '123456' }
  await ada.call(connectSignup, { params: place, body })
  const { connection, signup } = await ada.call(readWhatsapp, { params: place })
  expect(signup).toBe(true)
  expect(connection).toMatchObject({ app_id: appId, phone_number: number.display, problem: null })
  expect(whatsapp.state.subscription).not.toBeNull()
  const { db } = server.context
  const told = await db.selectFrom('events').select('payload').where('type', '=', 'whatsapp.connected').execute()
  expect(told.map(({ payload }) => payload)).toMatchObject([{ chatbot: place.cgid }])
  await ada.call(disconnectWhatsapp, { params: place })
})

test('a code is worth something once, and nothing after somebody has said no', async () => {
  const back = await consent(await begin())
  await ada.call(finishSignup, { params: place, body: back })
  expect((await post(ada, 'finish', back)).status).toBe(409)
  const denied = await consent(await begin(), 'deny')
  expect(denied.code).toBe('')
  expect((await post(ada, 'finish', denied)).status).toBe(409)
})

test('what comes back is for who began, for the chatbot that it was begun for, and for ten minutes', async () => {
  const grace = await server.register()
  const other = await chatbotOf(grace)
  const second = { pgid: place.pgid, cgid: (await makeChatbot(ada)).cgid }
  const back = await consent(await begin())
  // another project, and another chatbot of the same one
  expect((await post(grace, 'finish', back, other)).status).toBe(409)
  expect((await post(ada, 'finish', back, second)).status).toBe(409)
  // a state that names another place than it was sealed for
  const { state, code } = back
  const moved = state.replace(`${place.pgid}.${place.cgid}`, `${second.pgid}.${second.cgid}`)
  expect((await post(ada, 'finish', { state: moved, code }, second)).status).toBe(409)
  clock.pass(10 * 60)
  expect((await post(ada, 'finish', back)).status).toBe(409)

  const { grant, numbers } = await ada.call(finishSignup, { params: place, body: await consent(await begin()) })
  const [number] = numbers
  const body = { grant, business_id: number?.business_id, number_id: number?.number_id, pin: '123456' }
  expect((await post(ada, 'connect', body, second)).status).toBe(409)
  expect((await post(ada, 'connect', { ...body, grant: grant.slice(0, -12) })).status).toBe(409)
  clock.pass(10 * 60)
  expect((await post(ada, 'connect', body)).status).toBe(409)
  expect((await ada.call(readWhatsapp, { params: place })).connection).toBeNull()
})

test('an installation without an app offers nothing', async () => {
  const { signup } = server.context.config.vendors.whatsapp
  server.context.config.vendors.whatsapp.signup = null
  expect((await ada.call(readWhatsapp, { params: place })).signup).toBe(false)
  const { pgid, cgid } = place
  expect((await ada.send('POST', `/api/projects/${pgid}/chatbots/${cgid}/whatsapp/signup`, {})).status).toBe(409)
  server.context.config.vendors.whatsapp.signup = signup
})
