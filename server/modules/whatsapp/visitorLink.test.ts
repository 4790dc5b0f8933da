import { afterAll, expect, test } from 'vitest'
import { createTestClock } from '../../../tests/support/clock'
import { keysOf } from '../../../tests/support/vendors/whatsapp/startWhatsapp'
import { startWhatsappServer } from '../../../tests/support/vendors/whatsapp/whatsappServer'
import { chatPage, startConversation } from '../../contracts/chat'
import { readChatbot } from '../../contracts/chatbots'
import { publishLook, readLook, saveLook } from '../../contracts/web'
import { connectWhatsapp, disconnectWhatsapp } from '../../contracts/whatsapp'
import { readToken } from './continuation'

/** Visitors of the web who go on at WhatsApp by themselves. */
const clock = createTestClock('2026-11-24T10:00:00Z')
const started = await startWhatsappServer({ clock, flow: 'made' })
const { whatsapp, server, ada, place } = started
afterAll(started.close)
const { slug } = (await ada.call(readChatbot, { params: place })).chatbot
let count = 0

async function offer(whatsappPart: boolean): Promise<void> {
  const { draft, revision } = await ada.call(readLook, { params: place })
  const look = { ...draft, parts: { ...draft.parts, whatsapp: whatsappPart } }
  const saved = await ada.call(saveLook, { params: place, body: { look, revision } })
  await ada.call(publishLook, { params: place, body: { revision: saved.revision } })
}
async function visit() {
  const guest = await server.guest()
  const body = { client_id: `start-${String(++count).padStart(4, '0')}` }
  const { conversation, token } = await guest.call(startConversation, { params: { slug }, body })
  const params = { slug, conversation: conversation.id }
  const ask = (bearer = token) =>
    guest.send(
      'POST',
      `/api/chat/${slug}/conversations/${conversation.id}/whatsapp-link`,
      {},
      {
        authorization: `Bearer ${bearer}`,
      },
    )
  return { guest, gid: conversation.id, params, ask }
}
const isShown = async () => (await (await server.guest()).call(chatPage, { params: { slug } })).look.parts.whatsapp

test('is offered where the owner has switched it on and the chatbot has a number, and nowhere else', async () => {
  expect(await isShown()).toBe(false)
  await offer(true)
  expect(await isShown()).toBe(false)
  expect((await (await visit()).ask()).status).toBe(404)
  await ada.call(connectWhatsapp, { params: place, body: keysOf(whatsapp) })
  expect(await isShown()).toBe(true)
  expect((await (await visit()).ask()).status).toBe(200)
  await offer(false)
  expect(await isShown()).toBe(false)
  expect((await (await visit()).ask()).status).toBe(404)
  await offer(true)
  await ada.call(disconnectWhatsapp, { params: place })
  expect(await isShown()).toBe(false)
  await ada.call(connectWhatsapp, { params: place, body: keysOf(whatsapp) })
})

test('gives the visitor a link to the number, by which the phone that sends it has the same contact', async () => {
  const { gid, ask } = await visit()
  const { body } = await ask()
  const { link, expires_at } = body.data as { link: string; expires_at: string }
  const url = new URL(link)
  expect(`${url.origin}${url.pathname}`).toBe('https://wa.me/442079460958')
  expect(Date.parse(expires_at) - clock().getTime()).toBe(15 * 60_000)
  const text = url.searchParams.get('text') ?? ''
  expect(readToken(text)?.token).toMatch(/^[0-9a-f]{32}$/)
  const phone = whatsapp.phones.add('Grace', '447711900001')
  whatsapp.phones.write(phone, { type: 'text', text: { body: text } })
  await started.settle()
  const { db } = server.context
  const of = (column: 'gid' | 'address', value: string) =>
    db.selectFrom('conversations').selectAll().where(column, '=', value).executeTakeFirstOrThrow()
  const [web, there] = [await of('gid', gid), await of('address', '447711900001')]
  expect(there.contact_id).toBeTruthy()
  expect(web.contact_id).toBe(there.contact_id)
  expect(whatsapp.broken).toEqual([])
})

test('is for the visitor of the conversation alone, and not without end', async () => {
  const { ask } = await visit()
  expect((await ask('x'.repeat(43))).status).toBe(404)
  const answers: number[] = []
  for (let asked = 0; asked < 11; asked++) answers.push((await ask()).status)
  expect(answers.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 200))
  expect(answers.at(-1)).toBe(429)
})
