import { createHmac } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { registry } from '../../../blocks/registry'
import { emptyFlow, type Flow } from '../../../engine/flow/schema'
import { messageText } from '../../../engine/run/recordingWords'
import { staticValue } from '../../../engine/values/dynamicValue'
import type { Json } from '../../../engine/values/json'
import { plainRichText } from '../../../engine/values/richText'
import { createTestClock } from '../../../tests/support/clock'
import { makeChatbot } from '../../../tests/support/collab'
import { type Registered, startTestServer, type TestServer } from '../../../tests/support/server'
import { readShared } from '../../../tests/support/shared'
import { hasContracts } from '../../../tests/support/vendors/contract'
import { keysOf, startWhatsapp } from '../../../tests/support/vendors/whatsapp/startWhatsapp'
import { readChatbotChannels } from '../../contracts/channels'
import { importFlow, publishFlow } from '../../contracts/flows'
import { readInboxConversation, readThread, replyToVisitor } from '../../contracts/inbox'
import { sendPlaygroundMessage, startPlayground } from '../../contracts/playground'
import {
  checkWhatsapp,
  connectWhatsapp,
  disconnectWhatsapp,
  readWhatsapp,
  readWhatsappProfile,
  saveWhatsappProfile,
} from '../../contracts/whatsapp'
import { previewWhatsapp } from '../../contracts/whatsappRequests'
import { parseConfig } from '../../platform/config/config'
import { createSeededRandom } from '../../sandbox/seededRandom'
import type { PhoneMessage } from '../../sandbox/whatsapp/state'
import { channelIdentity } from '../contacts/verifiedContact'
import { conversations } from '../conversations/module'
import { readMessage } from './readMessage'
import { readWebhook } from './readWebhook'

// A long file: connecting, receiving and sending share one server and one stand-in.

const clock = createTestClock('2026-11-24T10:00:00Z')
let whatsapp: Awaited<ReturnType<typeof startWhatsapp>>
let server: TestServer
let ada: Registered
let place: { pgid: string; cgid: string }
let fid: string
let people = 0

beforeAll(async () => {
  whatsapp = await startWhatsapp({ clock })
  server = await startTestServer({
    config: { vendors: parseConfig({ WHATSAPP_API_URL: whatsapp.origin }).vendors },
    clock,
  })
  server.context.config.publicUrl = server.url
  ada = await server.register()
  const { pgid, cgid, ...made } = await makeChatbot(ada)
  place = { pgid, cgid }
  fid = made.fid
  await ada.call(importFlow, { params: { pgid, cgid, fid }, body: { source: JSON.stringify(flow), mode: 'replace' } })
  await ada.call(publishFlow, { params: { pgid, cgid, fid } })
  await ada.call(connectWhatsapp, { params: place, body: keysOf(whatsapp) }).catch((error) => {
    throw new Error(whatsapp.broken.join('\n'), { cause: error })
  })
})
afterAll(async () => {
  await server.close()
  await whatsapp.close()
})
beforeEach(() => clock.pass(61))
afterEach(() => {
  whatsapp.faults.clear()
  expect(whatsapp.broken).toEqual([])
})

const block = (id: string, kind: string, data: object) => ({
  ...{ id, kind, version: registry.get(kind).migrations.length },
  data: { ...(registry.get(kind).defaults(() => id) as object), ...data } as Flow['groups'][0]['blocks'][0]['data'],
})
const field = (id: string, label: string) => ({
  ...{ id, label: staticValue(label), type: 'text', placeholder: staticValue(''), choices: [], saveTo: id },
})
const option = (id: string, label: string) => ({ id, label: staticValue(label) })

/** Offers three services, and asks for a name. */
const flow: Flow = {
  ...emptyFlow(),
  variables: ['name', 'who', 'count', 'note', 'ad', 'kind'].map((id) => ({ id, name: id, value: null })),
  groups: [
    {
      ...{ id: 'g', title: 'All', position: { x: 0, y: 0 } },
      blocks: [
        block('start', 'start', {}),
        block('hello', 'text', { content: plainRichText('Welcome') }),
        block('choose', 'buttons', {
          ...{ prompt: plainRichText('What is it about?') },
          options: [option('repair', 'Repair'), option('buy', 'Buy'), option('order', 'Order')],
        }),
        block('ask', 'text-input', { prompt: plainRichText('Your name?'), saveTo: 'name' }),
        block('done', 'text', { content: plainRichText('Thank you') }),
      ],
    },
    {
      ...{ id: 'order', title: 'Order', position: { x: 400, y: 0 } },
      blocks: [
        block('form', 'form', {
          fields: [
            { ...field('who', 'Who?'), required: true },
            { ...field('count', 'How many?'), type: 'number', required: true },
            { ...field('note', 'A note?'), required: false },
          ],
        }),
        block('sum', 'text', { content: plainRichText('Ordered') }),
        block('team', 'hand-off', { message: plainRichText('Somebody will answer.') }),
      ],
    },
    {
      ...{ id: 'campaign', title: 'Campaign', position: { x: 0, y: 600 } },
      blocks: [
        block('campaign-link', 'link-opened', {
          text: 'Spring check',
          ads: true,
          saveHeadline: 'ad',
          saveType: 'kind',
        }),
        block('spring', 'text', { content: plainRichText('A spring check takes a day') }),
        block('when', 'text-input', { prompt: plainRichText('Which day?'), saveTo: 'name' }),
        block('noted', 'text', { content: plainRichText('Noted') }),
      ],
    },
  ],
  edges: [{ from: { blockId: 'choose', portId: 'order' }, to: { groupId: 'order' } }],
}

const phone = (number: string | null = `4477009${String(++people).padStart(5, '0')}`) =>
  whatsapp.phones.add(`Person ${people}`, number)
type Phone = ReturnType<typeof phone>

/** Lets all happen that follows from what was sent: webhooks, jobs, and the statuses of what they send. */
async function settle(): Promise<void> {
  do await whatsapp.webhooks.settle()
  while ((await server.context.jobs.runDue()) > 0)
  await whatsapp.webhooks.settle()
}
async function write(to: Phone, body: string): Promise<void> {
  whatsapp.phones.write(to, { type: 'text', text: { body } })
  await settle()
  // nothing more is typed
  clock.pass(2)
  await settle()
}
async function press(to: Phone, title: string): Promise<void> {
  const [asked] = to.messages
    .filter(({ content }) => content.type === 'interactive' && JSON.stringify(content).includes(title))
    .slice(-1)
  const shown = asked?.content as never as Buttons
  const { buttons } = shown.interactive.action
  const reply = buttons.find((button) => button.reply.title === title)?.reply
  whatsapp.phones.write(
    to,
    { type: 'interactive', interactive: { type: 'button_reply', button_reply: reply } },
    asked?.id,
  )
  await settle()
}
interface Buttons {
  interactive: { body: { text: string }; action: { buttons: { reply: { id: string; title: string } }[] } }
}
const textOf = ({ content }: PhoneMessage): string => {
  const { text, interactive } = content as never as { text?: { body: string } } & Partial<Buttons>
  return text?.body ?? interactive?.body.text ?? content.type
}
const received = ({ messages }: Phone) => messages.filter(({ from }) => from === 'business').map(textOf)
const conversationOf = async ({ number, userId }: Phone) =>
  server.context.db
    .selectFrom('conversations')
    .selectAll()
    .where('channel', '=', 'whatsapp')
    .where('address', 'in', [number ?? '', userId])
    .orderBy('id', 'desc')
    .execute()
const deliveriesOf = async (to: Phone) => {
  const ids = (await conversationOf(to)).map(({ id }) => id)
  return server.context.db
    .selectFrom('deliveries')
    .select(['status', 'reached', 'error'])
    .where('conversation_id', 'in', ids)
    .orderBy('seq')
    .execute()
}

describe('connecting', () => {
  test('shows the number, and what leads to it', async () => {
    const state = await ada.call(readWhatsapp, { params: place })
    expect(state.connection).toMatchObject({
      ...{ phone_number: '+44 20 7946 0958', verified_name: 'Workshop (sandbox)', problem: null, registered: true },
      ...{ link: 'https://wa.me/442079460958', connected_by: ada.user.email },
    })
    expect(JSON.stringify(state)).not.toContain(whatsapp.state.token)
  })

  test('says at the field what is wrong with it', async () => {
    const other = await makeChatbot(ada)
    const params = { pgid: other.pgid, cgid: other.cgid }
    const wrong = async (body: object) => {
      const answer = await ada.send('POST', `/api/projects/${params.pgid}/chatbots/${params.cgid}/whatsapp`, {
        ...keysOf(whatsapp),
        ...body,
      })
      return Object.keys((answer.body.data as { fields?: object } | undefined)?.fields ?? {})
    }
    expect(await wrong({ number_id: 'abc' })).toEqual(['number_id'])
    expect(await wrong({ pin: '12' })).toEqual(['pin'])
    expect(await wrong({ number_id: '99999' })).toEqual(['number_id'])
    // of another chatbot
    expect(await wrong({})).toEqual(['number_id'])
    expect((await ada.call(readChatbotChannels, { params: place })).channels).toEqual(['web', 'whatsapp'])
    await ada.call(disconnectWhatsapp, { params: place })
    expect(await wrong({ token: 'not the token' })).toEqual(['token'])
    expect(await wrong({ business_id: '99999' })).toEqual(['business_id'])
    expect(await wrong({ pin: '654321' })).toEqual(['pin'])
    await ada.call(connectWhatsapp, { params: place, body: keysOf(whatsapp) })
  })

  test('tells when WhatsApp does not let it in any more, and when it does again', async () => {
    whatsapp.fail({ on: 'GET /*', with: 'unauthorized' })
    const broken = await ada.call(checkWhatsapp, { params: place })
    expect(broken.connection?.problem).toContain('190')
    const mended = await ada.call(checkWhatsapp, { params: place })
    expect(mended.connection?.problem).toBeNull()
  })

  test('shows and changes what people see of the business', async () => {
    const profile = { about: 'We repair', address: '', description: '', email: '', website: 'https://a.example' }
    await ada.call(saveWhatsappProfile, { params: place, body: { profile } })
    expect((await ada.call(readWhatsappProfile, { params: place })).profile).toEqual(profile)
  })
})

describe('webhooks', () => {
  const send = async (body: string, headers: Record<string, string> = {}) => {
    const { url } = whatsapp.state.subscription ?? { url: '' }
    const answer = await fetch(url, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...headers },
    })
    return answer.status
  }
  const sign = (body: string, secret = whatsapp.state.appSecret) => ({
    'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
  })
  const stored = async () =>
    Number(
      (
        await server.context.db
          .selectFrom('whatsapp_inbound')
          .select(({ fn }) => fn.countAll().as('n'))
          .executeTakeFirstOrThrow()
      ).n,
    )

  test('without a signature, or with another one, are refused, and nothing is stored', async () => {
    const before = await stored()
    const ben = phone()
    whatsapp.fail({ on: 'webhook message', with: 'wrongSignature' })
    await write(ben, 'Hello')
    expect(whatsapp.webhooks.deliveries.at(-1)?.status).toBe(401)
    expect(await send('{}')).toBe(401)
    expect(await stored()).toBe(before)
  })

  test('are verified by the token that was given to WhatsApp alone', async () => {
    const { url, verifyToken } = whatsapp.state.subscription ?? { url: '', verifyToken: '' }
    const ask = (token: string) =>
      fetch(
        `${url}?${new URLSearchParams({ 'hub.mode': 'subscribe', 'hub.verify_token': token, 'hub.challenge': '42' })}`,
      )
    const right = await ask(verifyToken)
    expect([right.status, await right.text()]).toEqual([200, '42'])
    expect((await ask('another')).status).toBe(403)
  })

  test.skipIf(!hasContracts)('of every known kind are taken, whole, in part, and mutated', async () => {
    const examples = JSON.parse(readShared('contracts/whatsapp/webhook-examples.json')) as Record<string, object>
    const texts = Object.values(examples).map((each) => JSON.stringify(each))
    const ours = texts.map((text) =>
      text.replace(/"phone_number_id":\s*"\d+"/g, `"phone_number_id":"${whatsapp.state.number.id}"`),
    )
    // each part is left out or is something else, once
    const mutated = ours.flatMap((text) =>
      [/"type":"\w+"/, /"timestamp":"\d+"/, /"from":"\d+"/, /"id":"[^"]+"/].map((part) =>
        text.replace(part, '"strange":[1]'),
      ),
    )
    // and any part of each goes or becomes another, in two ways
    const random = createSeededRandom(18)
    const others = ours.flatMap((text) =>
      [0, 1].map(() => {
        const body = JSON.parse(text) as Json
        mutate(body, (most) => Math.floor(random() * most))
        return JSON.stringify(body)
      }),
    )
    const strange = [...mutated, ...others].filter((text) => !ours.includes(text))
    expect(strange.length).toBeGreaterThan(200)
    for (const body of [...ours, ...ours.toReversed(), ...strange])
      expect([body, await send(body, sign(body))]).toEqual([body, 200])
    await settle()
    const open = await server.context.db
      .selectFrom('whatsapp_inbound')
      .select('id')
      .where('taken_at', 'is', null)
      .execute()
    expect(open).toEqual([])
    // whatever came twice, or in another order, was said once
    const { rows } = await sql`
      select address, client_id from messages join conversations on conversations.id = messages.conversation_id
      where channel = 'whatsapp' and author = 2 group by address, client_id having count(*) > 1`.execute(
      server.context.db,
    )
    expect(rows).toEqual([])
    for (const text of texts)
      for (const { messages } of readWebhook(JSON.parse(text))) for (const { message } of messages) readMessage(message)
  })
})

describe('a conversation', () => {
  test('begins with what somebody writes, and goes on by buttons and words', async () => {
    const ben = phone()
    await write(ben, 'Hello')
    expect(received(ben)).toEqual(['Welcome', 'What is it about?'])
    await press(ben, 'Repair')
    await write(ben, 'Ben')
    expect(received(ben)).toEqual(['Welcome', 'What is it about?', 'Your name?', 'Thank you'])
    const [conversation, ...others] = await conversationOf(ben)
    expect(others).toEqual([])
    expect(await deliveriesOf(ben)).toEqual(Array(4).fill({ status: 'sent', reached: 'read', error: null }))
    const read = await ada.call(readInboxConversation, {
      params: { pgid: place.pgid, conversation: conversation?.gid ?? '' },
    })
    expect(read.conversation).toMatchObject({
      ...{ visitor: ben.name, contact: { name: ben.name, phone: `+${ben.number}` } },
      // from the last message on, after which two seconds were waited
      window_ends: new Date(clock().getTime() - 2_000 + 24 * 3_600_000).toISOString(),
    })
    const thread = await ada.call(readThread, {
      params: { pgid: place.pgid, conversation: conversation?.gid ?? '' },
      query: {},
    })
    const ours = thread.messages.filter(({ author }) => author === 1)
    expect(ours.map(({ delivery }) => delivery?.status)).toEqual(Array(4).fill('read'))
    const told = await server.context.db
      .selectFrom('events')
      .select('payload')
      .where('type', '=', 'message.delivered')
      .where(sql`payload->>'conversation'`, '=', conversation?.gid ?? '')
      .where(sql`(payload->>'seq')::int`, '=', ours[0]?.seq ?? 0)
      .orderBy('id')
      .execute()
    expect(told.map(({ payload }) => (payload as { status: string }).status)).toEqual(['sent', 'delivered', 'read'])
    const session = await server.context.db
      .selectFrom('runs')
      .select('session')
      .where('conversation_id', '=', conversation?.id ?? '')
      .executeTakeFirstOrThrow()
    expect(session.session.variables).toMatchObject({ sys_contact_phone: `+${ben.number}`, sys_channel: 'whatsapp' })
    // longer than any id that a site may sign
    expect(channelIdentity('', '').length).toBeGreaterThan(36)
    const contacts = await server.context.db
      .selectFrom('contacts')
      .select(['id', 'name', 'phone', 'user_id'])
      .where('verified_id', '=', channelIdentity('whatsapp', ben.number ?? ''))
      .execute()
    expect(contacts).toEqual([{ id: conversation?.contact_id, name: ben.name, phone: `+${ben.number}`, user_id: null }])
    // each was marked as read
    expect(
      ben.messages.filter(({ from }) => from === 'person').every(({ id }) => whatsapp.state.readByBusiness.has(id)),
    ).toBe(true)
  })

  test('is what a preview shows as the calls that would send it', async () => {
    const person = phone()
    await write(person, 'Hello')
    await press(person, 'Repair')
    const sent = person.messages.filter(({ from }) => from === 'business')
    const began = { client_id: 'preview-01' }
    const { conversation } = await ada.call(startPlayground, { params: { ...place, fid }, body: began })
    const params = { ...place, conversation: conversation.id }
    const reply = { type: 'choice' as const, optionIds: ['repair'] }
    await ada.call(sendPlaygroundMessage, { params: { ...params, fid }, body: { client_id: 'preview-02', reply } })
    const { messages } = await ada.call(previewWhatsapp, { params })
    const requests = messages.flatMap((message) => message.requests)
    expect(sent.map(({ content }) => content.type)).toEqual(['text', 'interactive', 'text'])
    expect(requests).toEqual(
      sent.map(({ content }) => expect.objectContaining({ to: 'PHONE_NUMBER', [content.type]: content[content.type] })),
    )
    // a test belongs to who runs it
    const stranger = await server.register()
    await expect(stranger.call(previewWhatsapp, { params: { ...params, pgid: stranger.pgid } })).rejects.toThrow()
  })

  test('is held with people who hide their number', async () => {
    const cleo = phone(null)
    await write(cleo, 'Hello')
    await press(cleo, 'Buy')
    expect(received(cleo)).toEqual(['Welcome', 'What is it about?', 'Your name?'])
    expect(await conversationOf(cleo)).toMatchObject([{ address: cleo.userId }])
  })

  test('takes a message once that comes twice, late, or in another order', async () => {
    const ben = phone()
    whatsapp.fail({ on: 'webhook message', with: 'twice' })
    await write(ben, 'Hello')
    whatsapp.fail({ on: 'webhook message', with: 'outOfOrder' })
    whatsapp.phones.write(ben, { type: 'text', text: { body: 'Repair' } })
    clock.pass(1)
    whatsapp.phones.write(ben, { type: 'text', text: { body: 'Ben' } })
    await settle()
    expect(received(ben).slice(0, 3)).toEqual(['Welcome', 'What is it about?', 'Your name?'])
    expect(await conversationOf(ben)).toHaveLength(1)
    // once more when all was read, in a webhook of its own
    clock.pass(12)
    await settle()
    const said = ben.messages.find(({ from }) => from === 'person')
    const before = received(ben)
    whatsapp.phones.write(ben, { type: 'text', text: { body: 'Hello' } }, undefined, { id: said?.id })
    await settle()
    clock.pass(12)
    await settle()
    expect(received(ben)).toEqual(before)
  })

  test('takes what is typed in a row for one answer, and nothing twice or not at all after a crash', async () => {
    const ben = phone()
    await write(ben, 'Hello')
    await press(ben, 'Repair')
    const type = async (body: string) => {
      whatsapp.phones.write(ben, { type: 'text', text: { body } })
      await settle()
    }
    await type('Ben')
    clock.pass(1)
    await type('Smith')
    expect(received(ben)).toEqual(['Welcome', 'What is it about?', 'Your name?'])
    clock.pass(2)
    await settle()
    expect(received(ben)).toEqual(['Welcome', 'What is it about?', 'Your name?', 'Thank you'])
    const said = async () => {
      const rows = await server.context.db
        .selectFrom('messages')
        .innerJoin('conversations', 'conversations.id', 'messages.conversation_id')
        .select('content')
        .where('address', '=', ben.number)
        .where('author', '=', 2)
        .orderBy('messages.conversation_id')
        .orderBy('seq')
        .execute()
      return rows.map(({ content }) => messageText(content))
    }
    expect(await said()).toEqual(['Hello', 'Repair', 'Ben\nSmith'])

    // the process died before it could note that they were taken, and one more came
    const people = server.context.db.selectFrom('whatsapp_people').select('id').where('phone', '=', ben.number)
    await server.context.db
      .updateTable('whatsapp_inbound')
      .set({ taken_at: null })
      .where(sql`message->'text'->>'body'`, 'in', ['Ben', 'Smith'])
      .where('person_id', 'in', people)
      .execute()
    await write(ben, 'Hello again')
    expect(await said()).toEqual(['Hello', 'Repair', 'Ben\nSmith', 'Hello again'])
  })

  test('waits no longer than ten seconds for somebody who types on', async () => {
    const ben = phone()
    await write(ben, 'Hello')
    await press(ben, 'Buy')
    for (let count = 0; count < 8; count++) {
      whatsapp.phones.write(ben, { type: 'text', text: { body: `part ${count}` } })
      await settle()
      clock.pass(1.5)
    }
    await settle()
    // what came after that may have begun another conversation
    expect(received(ben)).toContain('Thank you')
  })

  test('keeps what people send beside words, and passes over what says nothing', async () => {
    const ben = phone()
    await write(ben, 'Hello')
    whatsapp.state.media.set('4711', { id: '4711', type: 'image/png', bytes: PIXEL })
    whatsapp.phones.write(ben, { type: 'image', image: { id: '4711', mime_type: 'image/png', sha256: 'x' } })
    whatsapp.phones.write(ben, { type: 'reaction', reaction: { message_id: 'wamid.x', emoji: '👍' } })
    whatsapp.phones.write(ben, { type: 'location', location: { latitude: 1.5, longitude: 2.5, name: 'Home' } })
    await settle()
    const [conversation] = await conversationOf(ben)
    const messages = await server.context.db
      .selectFrom('messages')
      .select('content')
      .where('conversation_id', '=', conversation?.id ?? '')
      .where('author', '=', 2)
      .orderBy('seq')
      .execute()
    const kinds = messages.map(({ content }) => content.kind)
    expect(kinds).toContain('files')
    expect(JSON.stringify(messages)).toContain('image.png')
    expect(JSON.stringify(messages)).toContain('1.5, 2.5')
    expect(kinds).toHaveLength(3)
  })

  const photo = (id: string, caption = '') => ({
    ...{ type: 'image', image: { id, mime_type: 'image/png', sha256: 'x', ...(caption !== '' && { caption }) } },
  })
  const seen = async (of: Phone) => {
    const [conversation] = await conversationOf(of)
    return ada.call(readThread, { params: { pgid: place.pgid, conversation: conversation?.gid ?? '' } })
  }
  const filesOf = async (of: Phone) =>
    (await seen(of)).messages.flatMap(({ author, content }) =>
      author === 2 && content.kind === 'files' ? content.files.map(({ name, type }) => `${name} ${type}`) : [],
    )

  test('a file that is gone or too large is left out, its words stay, and the thread says so once', async () => {
    const ben = phone()
    await write(ben, 'Hello')
    whatsapp.state.media.set('large', { id: 'large', type: 'image/png', bytes: Buffer.alloc(16_000_001) })
    whatsapp.phones.write(ben, photo('large', 'This lamp'))
    whatsapp.phones.write(ben, photo('gone'))
    await settle()
    const told = async () => (await seen(ben)).activity.map(({ kind }) => kind)
    await expect.poll(told).toEqual(['file_too_large', 'file_missing'])
    expect(await filesOf(ben)).toEqual([])
    expect((await seen(ben)).messages.map(({ content }) => messageText(content as never))).toContain('This lamp')
  })

  test('a file is what its bytes are, and is fetched again where WhatsApp fails, or the process dies', async () => {
    const { db } = server.context
    const ben = phone()
    whatsapp.state.media.set('4712', { id: '4712', type: 'application/pdf', bytes: PIXEL })
    whatsapp.fail({ on: 'GET /*/4712', with: 'serverError' })
    // and once the conversation has begun, nothing of its file is stored
    await sql`create function no_files() returns trigger language plpgsql as $$ begin
      if new.content ->> 'kind' = 'files' then raise exception 'died'; end if; return new; end $$`.execute(db)
    await sql`create trigger no_files before insert on messages for each row execute function no_files()`.execute(db)
    try {
      whatsapp.phones.write(ben, photo('4712', 'Is this yours?'))
      for (let tries = 0; tries < 20 && received(ben).length === 0; tries++) {
        await settle()
        clock.pass(1)
      }
    } finally {
      await sql`drop function no_files cascade`.execute(db)
    }
    expect(received(ben)[0]).toBe('Welcome')
    expect(await filesOf(ben)).toEqual([])
    clock.pass(120)
    await settle()
    expect(await filesOf(ben)).toEqual(['image.png image/png'])
    clock.pass(120)
    await settle()
    expect(await filesOf(ben)).toEqual(['image.png image/png'])
    expect(received(ben).filter((text) => text === 'Welcome')).toHaveLength(1)
  })
})

describe('sending', () => {
  test('is not done again when the answer is lost and a status says that it arrived', async () => {
    const ben = phone()
    whatsapp.fail({ on: 'POST /*/messages', with: 'cutAfterWrite', times: 3 })
    await write(ben, 'Hello')
    clock.pass(61)
    await settle()
    clock.pass(61)
    await settle()
    expect(received(ben)).toEqual(['Welcome', 'What is it about?'])
    expect(await deliveriesOf(ben)).toMatchObject([{ status: 'sent' }, { status: 'sent' }])
  })

  test('is done again when it was cut before it was taken', async () => {
    const ben = phone()
    whatsapp.fail({ on: 'POST /*/messages', with: 'cutBeforeWrite', times: 2 })
    await write(ben, 'Hello')
    for (let minutes = 0; minutes < 3; minutes++) {
      clock.pass(61)
      await settle()
    }
    expect(received(ben)).toEqual(['Welcome', 'What is it about?'])
  })

  test('waits while WhatsApp takes no more, without counting as a failure, and holds nobody else up', async () => {
    const [ben, cleo] = [phone(), phone()]
    whatsapp.fail({ on: 'POST /*/messages', with: 'conflict', times: 2 })
    await write(ben, 'Hello')
    expect(received(ben)).toEqual([])
    await write(cleo, 'Hello')
    expect(received(cleo)).toEqual(['Welcome', 'What is it about?'])
    clock.pass(61)
    await settle()
    expect(received(ben)).toEqual(['Welcome', 'What is it about?'])
  })

  test('goes to one person at WhatsApp’s pace', async () => {
    const ben = phone()
    await write(ben, 'Hello')
    const [conversation] = await conversationOf(ben)
    for (let count = 10; count < 24; count++)
      await ada.call(replyToVisitor, {
        params: { pgid: place.pgid, conversation: conversation?.gid ?? '' },
        body: {
          ...{ client_id: `answer-00${count}`, text: `Part ${count}`, file_ids: [], seen: 1_000 },
          ...{ anyway: true, reopen: true, close: false },
        },
      })
    await settle()
    const early = received(ben).length
    expect(early).toBe(10)
    clock.pass(61)
    await settle()
    clock.pass(61)
    await settle()
    expect(received(ben).slice(-14)).toEqual(Array.from({ length: 14 }, (_, at) => `Part ${at + 10}`))
    // whatever a minute, WhatsApp was asked for no more than ten
    const times = whatsapp.calls
      .filter(({ body }) => (body as { to?: string } | undefined)?.to === ben.number)
      .map(({ at }) => at.getTime())
    expect(times.length).toBeGreaterThan(10)
    for (const [at, time] of times.slice(10).entries()) expect(time - (times[at] ?? 0)).toBeGreaterThanOrEqual(60_000)
    expect((await deliveriesOf(ben)).every(({ status }) => status === 'sent')).toBe(true)
  })

  test('waits while eighty messages of the number were under way within a second, whenever that began', async () => {
    const ben = phone()
    const { db, limits } = server.context
    const { gid } = await db.selectFrom('whatsapp_connections').select('gid').executeTakeFirstOrThrow()
    const entered = await limits.places('whatsapp number', 1_000).enter(gid, 80, 80)
    await write(ben, 'Hello')
    expect(received(ben)).toEqual([])
    if ('leaves' in entered) for (const leave of entered.leaves) leave()
    clock.pass(0.9)
    await settle()
    expect(received(ben)).toEqual([])
    clock.pass(1.1)
    await settle()
    expect(received(ben)).toEqual(['Welcome', 'What is it about?'])
  })

  test('tells what did not arrive, and why', async () => {
    const ben = phone()
    ben.next = 'fails'
    await write(ben, 'Hello')
    expect(await deliveriesOf(ben)).toMatchObject([
      { status: 'dead', error: expect.stringContaining('131026') },
      { status: 'sent' },
    ])
  })

  test('is refused more than 24 hours after the person wrote, by WhatsApp’s clock, and not tried by ours', async () => {
    const ben = phone()
    await write(ben, 'Hello')
    const before = received(ben).length
    const [conversation] = await conversationOf(ben)
    ben.hoursPassed = 25
    await insertAnswer(conversation, 'by WhatsApp’s clock')
    await settle()
    expect((await deliveriesOf(ben)).at(-1)).toMatchObject({
      status: 'dead',
      error: expect.stringContaining('24 hours'),
    })
    // WhatsApp is not asked again
    const calls = whatsapp.callsOf('POST /*/messages').length
    await insertAnswer(conversation, 'once more')
    await settle()
    expect(whatsapp.callsOf('POST /*/messages')).toHaveLength(calls)
    expect(received(ben)).toHaveLength(before)
    // until they write
    clock.pass(61)
    await write(ben, 'Yes')
    await insertAnswer(conversation, 'now')
    await settle()
    expect(received(ben).at(-1)).toBe('now')
  })
})

describe('what was said before', () => {
  const change = async (to: Phone, type: 'edit' | 'revoke', at: number, body = '') => {
    const original_message_id = to.messages.filter(({ from }) => from === 'person').at(at)?.id
    const message = { type: 'text', text: { body } }
    const content = { type, [type]: { original_message_id, ...(type === 'edit' && { message }) } }
    clock.pass(1)
    whatsapp.phones.write(to, content as never)
    await settle()
    clock.pass(2)
    await settle()
  }
  const thread = async (to: Phone) => {
    const [conversation] = await conversationOf(to)
    const { messages } = await ada.call(readThread, {
      params: { pgid: place.pgid, conversation: conversation?.gid ?? '' },
    })
    return messages.filter(({ author }) => author === 2).map(({ content }) => content)
  }

  test('shows as edited or deleted in the inbox, and answers nothing again', async () => {
    const ben = phone()
    await write(ben, 'Hello')
    await press(ben, 'Repair')
    const asked = received(ben).length
    await change(ben, 'edit', 0, 'Good day')
    expect(received(ben)).toHaveLength(asked)
    expect((await thread(ben))[0]).toMatchObject({ changed: { type: 'edited', before: 'Hello' } })
    expect(messageText((await thread(ben))[0] as never)).toBe('Good day')
    // what it said first stays
    await change(ben, 'edit', 0, 'Good night')
    expect((await thread(ben))[0]).toMatchObject({ changed: { type: 'edited', before: 'Hello' } })
    await change(ben, 'revoke', 0)
    expect((await thread(ben))[0]).toMatchObject({ changed: { type: 'deleted' } })
    expect(await thread(ben)).toHaveLength(2)
    expect(received(ben)).toHaveLength(asked)
  })

  test('is changed in its part, where several messages were taken as one', async () => {
    const ben = phone()
    await write(ben, 'Hello')
    await press(ben, 'Repair')
    whatsapp.phones.write(ben, { type: 'text', text: { body: 'Ben' } })
    whatsapp.phones.write(ben, { type: 'text', text: { body: 'Smith' } })
    await settle()
    clock.pass(2)
    await settle()
    await change(ben, 'edit', 3, 'Smythe')
    const edited = (await thread(ben)).at(-1)
    expect(edited).toMatchObject({ changed: { type: 'edited', before: 'Ben\nSmith' } })
    expect(messageText(edited as never)).toBe('Ben\nSmythe')
    await change(ben, 'revoke', 2)
    expect(messageText((await thread(ben)).at(-1) as never)).toBe('Smythe')
    await change(ben, 'revoke', 3)
    expect((await thread(ben)).at(-1)).toMatchObject({ changed: { type: 'deleted' } })
  })

  test('that nobody knows is taken as a message where it says something, and passed over where not', async () => {
    const ben = phone()
    await write(ben, 'Hello')
    const unknown = { original_message_id: 'wamid.unknown', message: { type: 'text', text: { body: 'Later' } } }
    whatsapp.phones.write(ben, { type: 'edit', edit: unknown } as never)
    whatsapp.phones.write(ben, { type: 'revoke', revoke: { original_message_id: 'wamid.unknown' } } as never)
    await settle()
    expect((await thread(ben)).map((content) => messageText(content as never))).toEqual(['Hello', 'Later'])
  })
})

describe('what is no message', () => {
  const seen = async (to: Phone) => {
    const [conversation] = await conversationOf(to)
    return ada.call(readThread, { params: { pgid: place.pgid, conversation: conversation?.gid ?? '' } })
  }
  const tell = async (from: Phone, content: object) => {
    whatsapp.phones.write(from, content as never)
    await settle()
  }
  const reactions = async (to: Phone) => (await seen(to)).messages.map(({ reaction }) => reaction)

  test('a reaction stands at the message that it is to, whoever wrote that, until it is taken back', async () => {
    const ben = phone()
    await write(ben, 'Hello')
    const asked = received(ben).length
    const [mine, theirs] = ['person', 'business'].map((who) => ben.messages.find(({ from }) => from === who)?.id)
    await tell(ben, { type: 'reaction', reaction: { message_id: theirs, emoji: '👍' } })
    await tell(ben, { type: 'reaction', reaction: { message_id: mine, emoji: '😮' } })
    expect(await reactions(ben)).toEqual(['😮', '👍', undefined])
    await tell(ben, { type: 'reaction', reaction: { message_id: theirs, emoji: '❤️' } })
    await tell(ben, { type: 'reaction', reaction: { message_id: mine } })
    expect(await reactions(ben)).toEqual([undefined, '❤️', undefined])
    // of somebody else’s, or of none, it changes nothing
    const eve = phone()
    await write(eve, 'Hello')
    await tell(eve, { type: 'reaction', reaction: { message_id: theirs, emoji: '💩' } })
    expect(await reactions(ben)).toEqual([undefined, '❤️', undefined])
    expect(received(ben)).toHaveLength(asked)
  })

  test('what WhatsApp does not pass on, and a new number, are lines of the thread, and the number is written to', async () => {
    const ben = phone()
    await write(ben, 'Hello')
    await tell(ben, { type: 'unsupported', unsupported: { type: 'poll' } })
    await tell(ben, { type: 'system', system: { type: 'customer_identity_changed', body: 'User identity changed' } })
    const moved = { type: 'user_changed_number', wa_id: '447799000001', body: 'User changed' }
    await tell(ben, { type: 'system', system: moved })
    await expect
      .poll(async () => (await seen(ben)).activity.map(({ kind, detail }) => [kind, detail]))
      .toEqual([
        ['unsupported', 'poll'],
        ['identity_changed', null],
        ['number_changed', null],
      ])
    const { messages } = await seen(ben)
    expect(messages.filter(({ author }) => author === 2)).toHaveLength(1)
    const people = await server.context.db
      .selectFrom('whatsapp_people')
      .select(['phone', 'user_id'])
      .where('address', '=', ben.number ?? '')
      .execute()
    expect(people).toEqual([{ phone: '447799000001', user_id: null }])
  })

  test('what is told is told once, though the process dies before it is noted as taken', async () => {
    const ben = phone()
    await write(ben, 'Hello')
    const kinds = async () => (await seen(ben)).activity.map(({ kind }) => kind)
    const moved = { type: 'user_changed_number', wa_id: '447799000002', body: 'User changed' }
    for (const asides of [
      [{ type: 'unsupported', unsupported: { type: 'poll' } }],
      [{ type: 'system', system: moved }],
    ]) {
      const [aside] = asides
      // the process dies at whatever is written next to the message: nothing of it stays
      await sql`create function no_aside() returns trigger language plpgsql as $$ begin
        if new.taken_at is not null then raise exception 'died'; end if; return new; end $$`.execute(server.context.db)
      await sql`create constraint trigger no_aside after update on whatsapp_inbound
        deferrable initially deferred for each row execute function no_aside()`.execute(server.context.db)
      const before = await kinds()
      whatsapp.phones.write(ben, aside as never)
      await settle()
      expect(await kinds()).toEqual(before)
      await sql`drop function no_aside cascade`.execute(server.context.db)
      clock.pass(61)
      await settle()
      await expect.poll(async () => (await kinds()).length).toBe(before.length + 1)
      clock.pass(61)
      await settle()
      expect(await kinds()).toHaveLength(before.length + 1)
    }
  })

  test('who has a new number keeps contact and conversation, and what was sent before does not bring the old one back', async () => {
    const ben = phone()
    await write(ben, 'Hello')
    const [begun] = await conversationOf(ben)
    const contact = () =>
      server.context.db
        .selectFrom('contacts')
        .select(['id', 'phone', 'aliases'])
        .where('verified_id', '=', channelIdentity('whatsapp', begun?.address ?? ''))
        .execute()
    const [known] = await contact()
    const [old, userId, number] = [ben.number ?? '', ben.userId, '447799000003']
    expect(known?.phone).toBe(`+${old}`)
    const said = ben.messages.find(({ from }) => from === 'person')
    clock.pass(10)
    whatsapp.phones.move(ben, number)
    await settle()
    const renumbered = [{ id: known?.id, phone: `+${number}`, aliases: [`phone:+${old}`] }]
    expect(await contact()).toEqual(renumbered)

    const late = { id: 'wamid.late', timestamp: String(Math.floor((said?.at.getTime() ?? 0) / 1_000) + 1) }
    const from = { from: old, from_user_id: userId }
    whatsapp.phones.write(ben, { type: 'text', text: { body: 'Late' } }, undefined, { ...late, ...from })
    await settle()
    expect(await contact()).toEqual(renumbered)
    await press(ben, 'Repair')
    expect(received(ben).at(-1)).toBe('Your name?')
    expect(await contact()).toEqual(renumbered)
    expect((await conversationOf({ ...ben, number: old })).map(({ id }) => id)).toEqual([begun?.id])

    // the network has given the old number to somebody else since
    clock.pass(10)
    const eve = whatsapp.phones.add('Eve', old)
    await write(eve, 'Who is this?')
    expect(received(eve)).toEqual(['Welcome', 'What is it about?'])
    expect((await conversationOf({ ...eve, number: `+${old}` })).map(({ address }) => address)).toEqual([`+${old}`])
    expect((await contact())[0]?.phone).toBe(`+${number}`)
  })

  test('what WhatsApp tells of somebody begins no 24 hours', async () => {
    const ben = phone()
    await write(ben, 'Hello')
    clock.pass(23 * 3_600)
    await tell(ben, { type: 'system', system: { type: 'customer_identity_changed', body: 'User identity changed' } })
    const { wrote_at } = await server.context.db
      .selectFrom('whatsapp_people')
      .select('wrote_at')
      .where('address', '=', ben.number ?? '')
      .executeTakeFirstOrThrow()
    expect(clock().getTime() - wrote_at.getTime()).toBeGreaterThan(23 * 3_600_000 - 1)
  })
})

describe('a link or an advertisement', () => {
  const said = ({ messages }: Phone) =>
    messages.filter(({ from }) => from === 'business').map(({ content }) => JSON.stringify(content))
  const heard = (to: Phone, words: string) => said(to).filter((text) => text.includes(words)).length
  const valuesOf = async (person: Phone) => {
    const { session } = await server.context.db
      .selectFrom('conversations')
      .innerJoin('runs', 'runs.id', 'conversations.run_id')
      .select('runs.session')
      .where('conversations.address', 'in', [person.number ?? '', person.userId])
      .executeTakeFirstOrThrow()
    return session.variables
  }

  test('starts at its trigger, which the settings offer', async () => {
    expect((await ada.call(readWhatsapp, { params: place })).links).toEqual([
      { trigger: 'campaign-link', text: 'Spring check' },
    ])
    const person = phone()
    await write(person, 'spring check, please')
    expect([heard(person, 'Welcome'), heard(person, 'A spring check')]).toEqual([0, 1])
    const other = phone()
    await write(other, 'Spring check')
    expect([heard(other, 'Welcome'), heard(other, 'A spring check')]).toEqual([0, 1])
    await write(other, 'Monday')
    expect(heard(other, 'Noted')).toBe(1)
  })

  test('leads out of a conversation that the bot has, once however often it comes, and not from a person', async () => {
    const person = phone()
    await write(person, 'Hello')
    whatsapp.fail({ on: 'webhook message', with: 'twice' })
    await write(person, 'Spring check')
    expect([heard(person, 'Welcome'), heard(person, 'A spring check')]).toEqual([1, 1])
    const handed = phone()
    await write(handed, 'Hello')
    await press(handed, 'Order')
    for (const answer of ['Grace', '2', '-']) await write(handed, answer)
    expect(heard(handed, 'Somebody will answer')).toBe(1)
    await write(handed, 'Spring check')
    expect(heard(handed, 'A spring check')).toBe(0)
  })

  test('that is an advertisement fills the variables that its trigger names, cut where it is too long', async () => {
    const person = phone()
    const referral = { source_url: 'https://ad.example', source_type: 'ad', headline: 'x'.repeat(5_000), extra: {} }
    whatsapp.phones.write(person, { type: 'text', text: { body: 'Hi' } }, undefined, { referral })
    await settle()
    clock.pass(2)
    await settle()
    expect(heard(person, 'A spring check')).toBe(1)
    const { ad, kind } = await valuesOf(person)
    expect([String(ad).length, kind]).toEqual([1_000, 'ad'])
  })
})
describe('a form', () => {
  test('is asked field by field, goes on with all values, and who is handed to the team is asked for no address', async () => {
    const ben = phone()
    await write(ben, 'Hello')
    await press(ben, 'Order')
    await write(ben, 'Ben')
    await write(ben, 'some')
    await write(ben, '3')
    expect(received(ben).slice(2)).toEqual([...['Who?', 'How many?', 'Enter a valid number\nHow many?', 'A note?']])
    await press(ben, 'Skip')
    expect(received(ben).slice(6)).toEqual(['Ordered', 'Somebody will answer.'])
    const [conversation] = await conversationOf(ben)
    const { session } = await server.context.db
      .selectFrom('runs')
      .select('session')
      .where('conversation_id', '=', conversation?.id ?? '')
      .executeTakeFirstOrThrow()
    expect(session.variables).toMatchObject({ who: 'Ben', count: 3, note: null })
    expect(session.request).toMatchObject({ toTeam: {} })
  })
})

/** What a person of the team answers. */
async function insertAnswer(conversation: { id: string; project_id: string } | undefined, text: string): Promise<void> {
  const { runtime } = server.app.modules.provided(conversations)
  const [user] = await server.context.db.selectFrom('users').select('id').where('gid', '=', ada.user.ui).execute()
  await runtime.people.say(
    { id: conversation?.id ?? '', project_id: conversation?.project_id ?? '' },
    { userId: user?.id ?? '', clientId: `say-${text}`, content: { kind: 'text', text: plainRichText(text) as never } },
  )
}

const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
)

/** Takes one part of a value away, or puts something else in its place. @param below a number from 0 to below `most` */
function mutate(value: Json, below: (most: number) => number): void {
  if (typeof value !== 'object' || value === null) return
  const keys = Object.keys(value)
  if (keys.length === 0) return
  const fields = value as Record<string, Json>
  const key = keys[below(keys.length)] ?? ''
  const inner = fields[key] ?? null
  if (typeof inner === 'object' && inner !== null && below(5) > 0) {
    mutate(inner, below)
    return
  }
  const instead = [undefined, null, 7, 'strange', [], { strange: [1] }][below(6)]
  if (instead === undefined) delete fields[key]
  else fields[key] = instead
}
