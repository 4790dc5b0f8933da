import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { registry } from '../../../blocks/registry'
import { emptyFlow, type Flow } from '../../../engine/flow/schema'
import { plainRichText } from '../../../engine/values/richText'
import { createTestClock } from '../../../tests/support/clock'
import { makeChatbot } from '../../../tests/support/collab'
import { type Registered, startTestServer, type TestServer } from '../../../tests/support/server'
import { keysOf, startWhatsapp } from '../../../tests/support/vendors/whatsapp/startWhatsapp'
import { importFlow, publishFlow } from '../../contracts/flows'
import { listReplyTemplates, readThread, replyToVisitor } from '../../contracts/inbox'
import { readPersonData } from '../../contracts/privacy'
import { connectWhatsapp } from '../../contracts/whatsapp'
import {
  fetchWhatsappTemplates,
  listWhatsappTemplates,
  submitWhatsappTemplate,
  type TemplateDraft,
} from '../../contracts/whatsappTemplates'
import { parseConfig } from '../../platform/config/config'
import { readTemplate } from './readTemplate'
import { readTemplateUpdates } from './readTemplateUpdates'

const clock = createTestClock('2026-11-24T10:00:00Z')
let whatsapp: Awaited<ReturnType<typeof startWhatsapp>>
let server: TestServer
let ada: Registered
let place: { pgid: string; cgid: string }
let run: (given: Flow) => Promise<void>

const text = { content: plainRichText('Welcome') }
const block = (id: string, kind: string, data: object): Flow['groups'][0]['blocks'][0] => ({
  ...{ id, kind, version: registry.get(kind).migrations.length },
  data: { ...(registry.get(kind).defaults(() => id) as object), ...data } as Flow['groups'][0]['blocks'][0]['data'],
})
const blocks = [block('start', 'start', {}), block('hello', 'text', text)]
const flow: Flow = { ...emptyFlow(), groups: [{ id: 'g', title: 'All', position: { x: 0, y: 0 }, blocks }] }

beforeAll(async () => {
  whatsapp = await startWhatsapp({ clock })
  server = await startTestServer({
    config: { vendors: parseConfig({ WHATSAPP_API_URL: whatsapp.origin }).vendors },
    clock,
  })
  server.context.config.publicUrl = server.url
  ada = await server.register()
  const { pgid, cgid, fid } = await makeChatbot(ada)
  place = { pgid, cgid }
  run = async (given) => {
    const params = { pgid, cgid, fid }
    await ada.call(importFlow, { params, body: { source: JSON.stringify(given), mode: 'replace' } })
    await ada.call(publishFlow, { params })
  }
  await run(flow)
  await ada.call(connectWhatsapp, { params: place, body: keysOf(whatsapp) })
})
afterAll(async () => {
  await server.close()
  await whatsapp.close()
})
afterEach(() => expect(whatsapp.broken).toEqual([]))

/** Lets all happen that follows from what was sent: webhooks, jobs, and the statuses of what they send. */
async function settle(): Promise<void> {
  do await whatsapp.webhooks.settle()
  while ((await server.context.jobs.runDue()) > 0)
  await whatsapp.webhooks.settle()
}

const draft: TemplateDraft = {
  ...{ name: 'repair_ready', language: 'en_GB', category: 'UTILITY', header: '', media: null, footer: 'The workshop' },
  ...{ body: 'Hello {{1}}, your {{2}} is ready.', examples: ['Ben', 'bicycle'], buttons: ['On my way'] },
}
const submit = (body: TemplateDraft) => ada.call(submitWhatsappTemplate, { params: place, body })
const listed = async () => (await ada.call(listWhatsappTemplates, { params: place })).templates
const made = (name: string) => {
  const template = whatsapp.state.templates.find((each) => each.name === name)
  if (!template) throw new Error(`There is no template ${name}`)
  return template
}

test('a template is given to WhatsApp, and shows what WhatsApp decides, in whatever order it says so', async () => {
  await submit(draft)
  expect(await listed()).toMatchObject([{ name: 'repair_ready', status: 'PENDING', sendable: false }])
  clock.pass(60)
  whatsapp.phones.judge(made('repair_ready'), { status: 'APPROVED', quality: 'GREEN' })
  await settle()
  const [approved] = await listed()
  expect(approved).toMatchObject({ status: 'APPROVED', quality: 'GREEN', sendable: true, buttons: ['On my way'] })
  expect(approved?.places.map(({ name }) => name)).toEqual(['1', '2'])
  clock.pass(60)
  whatsapp.phones.judge(made('repair_ready'), { status: 'REJECTED', quality: 'GREEN' })
  await settle()
  expect(await listed()).toMatchObject([{ status: 'REJECTED', reason: 'INVALID_FORMAT', sendable: false }])
  // what was said before it comes later
  clock.pass(-90)
  whatsapp.phones.judge(made('repair_ready'), { status: 'PAUSED', quality: 'GREEN' })
  await settle()
  expect(await listed()).toMatchObject([{ status: 'REJECTED' }])
  clock.pass(150)
  whatsapp.phones.judge(made('repair_ready'), { status: 'APPROVED', quality: 'GREEN' })
  await settle()
})

test('fetching takes what the account has, and forgets what it has no more', async () => {
  whatsapp.state.templates.push({
    ...{ id: '77', name: 'summer', language: 'de', category: 'MARKETING', status: 'APPROVED', quality: 'YELLOW' },
    components: [{ type: 'BODY', text: 'Sommer!' }],
  })
  expect(await listed()).toHaveLength(1)
  const { templates } = await ada.call(fetchWhatsappTemplates, { params: place })
  expect(templates.map(({ name, quality }) => [name, quality])).toEqual([
    ['repair_ready', 'GREEN'],
    ['summer', 'YELLOW'],
  ])
  whatsapp.state.templates.pop()
  await ada.call(fetchWhatsappTemplates, { params: place })
  expect(await listed()).toHaveLength(1)
})

test('what WhatsApp would refuse is told at its field', async () => {
  const wrong = async (part: Partial<TemplateDraft>) => {
    const path = `/api/projects/${place.pgid}/chatbots/${place.cgid}/whatsapp/templates`
    const answer = await ada.send('POST', path, { ...draft, name: 'another', ...part })
    return Object.keys((answer.body.data as { fields?: object } | undefined)?.fields ?? {})
  }
  expect(await wrong({ name: 'Repair ready' })).toEqual(['name'])
  expect(await wrong({ name: 'repair_ready' })).toEqual(['name'])
  expect(await wrong({ body: '{{1}} is ready now' })).toEqual(['body'])
  expect(await wrong({ body: 'Hello {{2}}, it is ready' })).toEqual(['body'])
  expect(await wrong({ body: 'Hello {{1}} {{2}}, it is ready' })).toEqual(['body'])
  expect(await wrong({ examples: ['Ben'] })).toEqual(['examples.1'])
  expect(await wrong({ buttons: ['Yes', 'Yes'] })).toEqual(['buttons'])
  expect(await listed()).toHaveLength(1)
})

test('once the 24 hours are over, a template goes where an answer does not', async () => {
  const ben = whatsapp.phones.add('Ben', '447700900123')
  whatsapp.phones.write(ben, { type: 'text', text: { body: 'Hi' } })
  await settle()
  clock.pass(25 * 3_600)
  const row = await server.context.db
    .selectFrom('conversations')
    .select('gid')
    .where('address', '=', '447700900123')
    .executeTakeFirstOrThrow()
  const params = { pgid: place.pgid, conversation: row.gid }
  const { templates } = await ada.call(listReplyTemplates, { params })
  expect(templates.map(({ name }) => name)).toEqual(['repair_ready'])
  const send = (client_id: string, values: string[]) =>
    ada.call(replyToVisitor, {
      params,
      body: {
        ...{ client_id, text: '', file_ids: [], seen: 1_000, anyway: false, reopen: true, close: false },
        template: { name: 'repair_ready', language: 'en_GB', values },
      },
    })
  await expect(send('answer-0001', ['Ben'])).rejects.toThrow('template.values.1')
  await send('answer-0002', ['Ben', 'bicycle'])
  await settle()
  const last = ben.messages.at(-1)
  expect(last?.content).toEqual({
    type: 'template',
    template: {
      ...{ name: 'repair_ready', language: { code: 'en_GB' } },
      components: [
        {
          type: 'body',
          parameters: [
            { type: 'text', text: 'Ben' },
            { type: 'text', text: 'bicycle' },
          ],
        },
      ],
    },
  })
  const { messages } = await ada.call(readThread, { params, query: {} })
  expect(JSON.stringify(messages.at(-1))).toContain('Hello Ben, your bicycle is ready.')
  // pressing its button opens the window, and answers
  whatsapp.phones.write(ben, { type: 'button', button: { payload: 'On my way', text: 'On my way' } }, last?.id)
  await settle()
  const after = await ada.call(readThread, { params, query: {} })
  expect(JSON.stringify(after.messages.at(-1))).toContain('On my way')
})

test('a flow knows that the 24 hours are over before it sends, and goes on by a template’s buttons', async () => {
  whatsapp.state.templates.push({
    ...{ id: '78', name: 'offer', language: 'en', category: 'UTILITY', status: 'APPROVED', quality: 'GREEN' },
    components: [
      { type: 'HEADER', format: 'IMAGE' },
      { type: 'BODY', text: 'For {{2}}: {{1}}' },
      { type: 'BUTTONS', buttons: [{ type: 'QUICK_REPLY', text: 'Take it' }] },
    ],
  })
  const { templates } = await ada.call(fetchWhatsappTemplates, { params: place })
  const offer = templates.find(({ name }) => name === 'offer')
  expect(offer).toMatchObject({ replies: ['Take it'], sendable: true })
  const values = (offer?.places ?? []).map((part, at) => ({
    ...{ id: `value-${at}`, ...part },
    value: { type: 'static', value: part.kind === 'image' ? '/files/abcdefghijklmnop' : `Value ${part.name}\n` },
  }))
  const template = { name: 'offer', language: 'en' }
  const ofGroup = (id: string, ...blocks: Flow['groups'][0]['blocks']) => ({
    ...{ id, title: id, position: { x: 0, y: 0 }, blocks },
  })
  const edge = (blockId: string, portId: string, groupId: string) => ({ from: { blockId, portId }, to: { groupId } })
  const say = (id: string, words: string) => block(id, 'text', { content: plainRichText(words) })
  await run({
    ...emptyFlow(),
    groups: [
      ofGroup(
        'g',
        block('start', 'start', {}),
        block('wait', 'wait', { amount: 25, unit: 'hours' }),
        block('window', 'whatsapp-window', {}),
      ),
      ofGroup('open', say('still', 'Still here?')),
      ofGroup(
        'over',
        block('send', 'whatsapp-template', { template, values, replies: [{ id: 'take', label: 'Take it' }] }),
      ),
      ofGroup('taken', say('taken-text', 'It is yours')),
      ofGroup('gone', say('gone-text', 'It is gone')),
    ],
    edges: [
      edge('window', 'open', 'open'),
      edge('window', 'outside', 'over'),
      edge('send', 'take', 'taken'),
      edge('send', 'failure', 'gone'),
    ],
  })
  const [eve, joe] = [whatsapp.phones.add('Eve', '447700900124'), whatsapp.phones.add('Joe', '447700900125')]
  const hi = { type: 'text', text: { body: 'Hi' } }
  for (const person of [eve, joe]) whatsapp.phones.write(person, hi)
  await settle()
  clock.pass(24 * 3_600)
  whatsapp.phones.write(joe, hi)
  await settle()
  clock.pass(3_601)
  await settle()
  expect(joe.messages.at(-1)?.content).toMatchObject({ text: { body: 'Still here?' } })
  const sent = eve.messages.at(-1)
  expect(eve.messages.filter(({ from }) => from === 'business')).toHaveLength(1)
  expect(sent?.content.template).toEqual({
    ...{ name: 'offer', language: { code: 'en' } },
    components: [
      { type: 'header', parameters: [{ type: 'image', image: { link: `${server.url}/files/abcdefghijklmnop` } }] },
      {
        type: 'body',
        parameters: [
          { type: 'text', text: 'Value 1' },
          { type: 'text', text: 'Value 2' },
        ],
      },
    ],
  })
  whatsapp.phones.write(eve, { type: 'button', button: { payload: 'Take it', text: 'Take it' } }, sent?.id)
  await settle()
  expect(eve.messages.at(-1)?.content).toMatchObject({ text: { body: 'It is yours' } })
  // what the template can't do any more, the flow is told before anything is sent
  whatsapp.state.templates.pop()
  await ada.call(fetchWhatsappTemplates, { params: place })
  const ann = whatsapp.phones.add('Ann', '447700900126')
  whatsapp.phones.write(ann, hi)
  await settle()
  clock.pass(25 * 3_600)
  await settle()
  expect(ann.messages.filter(({ from }) => from === 'business')).toEqual([])
})

test('who writes a word such as STOP gets no template any more, and marketing goes to those alone who agreed', async () => {
  whatsapp.state.templates.push({
    ...{ id: '79', name: 'sale', language: 'en', category: 'MARKETING', status: 'APPROVED', quality: 'GREEN' },
    components: [{ type: 'BODY', text: 'It is cheap now' }],
  })
  whatsapp.state.templates.push({
    ...{ id: '80', name: 'notice', language: 'en', category: 'UTILITY', status: 'APPROVED', quality: 'GREEN' },
    components: [{ type: 'BODY', text: 'We are closed' }],
  })
  await ada.call(fetchWhatsappTemplates, { params: place })
  const send = (id: string, name: string) => block(id, 'whatsapp-template', { template: { name, language: 'en' } })
  const options = ['Agree', 'Offers', 'Notice'].map((label) => ({ id: label, label: { type: 'static', value: label } }))
  const ofGroup = (id: string, given: Flow['groups'][0]['blocks'][0], ...more: Flow['groups'][0]['blocks']) => ({
    ...{ id, title: id, position: { x: 0, y: 0 }, blocks: [given, ...more] },
  })
  const edge = (portId: string) => ({ from: { blockId: 'choose', portId }, to: { groupId: portId } })
  const question = { type: 'static', value: 'Offers?' }
  await run({
    ...emptyFlow(),
    groups: [
      ofGroup('g', block('start', 'start', {}), block('choose', 'buttons', { options })),
      ofGroup('Agree', block('agree', 'whatsapp-opt-in', { question })),
      ofGroup('Offers', send('sale', 'sale')),
      ofGroup('Notice', send('notice', 'notice')),
    ],
    edges: [edge('Agree'), edge('Offers'), edge('Notice')],
  })
  const sue = whatsapp.phones.add('Sue', '447700900127')
  const names = () =>
    sue.messages.flatMap(({ content }) =>
      content.type === 'template' ? (content.template as { name: string }).name : [],
    )
  // a conversation ends with each answer: the next message begins one
  const choose = async (label: string) => {
    for (const body of ['Hi', label]) {
      whatsapp.phones.write(sue, { type: 'text', text: { body } })
      await settle()
    }
    clock.pass(61)
    return names()
  }
  expect(await choose('Offers')).toEqual([])
  await choose('Agree')
  expect(await choose('Offers')).toEqual(['sale'])
  const { contact_id } = await server.context.db
    .selectFrom('conversations')
    .innerJoin('contacts', 'contacts.id', 'conversations.contact_id')
    .select('contacts.gid as contact_id')
    .where('conversations.address', '=', '447700900127')
    .executeTakeFirstOrThrow()
  const { data } = await ada.call(readPersonData, { params: { pgid: place.pgid, gid: contact_id } })
  expect(data).toMatchObject({ whatsapp_people: [{ phone: '447700900127', agreed_to: 'Offers?' }] })
  expect(await choose('Notice')).toEqual(['sale', 'notice'])
  await choose('STOP')
  expect(await choose('Notice')).toEqual(['sale', 'notice'])
  const known = await server.context.db
    .selectFrom('whatsapp_people')
    .select(['stopped_by', 'agreed_at', 'stopped_at'])
    .where('address', '=', '447700900127')
    .executeTakeFirst()
  expect(known).toMatchObject({ stopped_by: 'STOP', agreed_at: null, stopped_at: expect.any(Date) })
  // also not by somebody of the team who has the template open
  const row = await server.context.db
    .selectFrom('conversations')
    .select('gid')
    .where('address', '=', '447700900127')
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()
  const params = { pgid: place.pgid, conversation: row.gid }
  expect((await ada.call(listReplyTemplates, { params })).templates).toEqual([])
  await choose('start')
  expect(await choose('Notice')).toEqual(['sale', 'notice', 'notice'])
  // what STOP took back is not given by START
  expect(await choose('Offers')).toEqual(['sale', 'notice', 'notice'])
})

test('a template is read whatever its parts are; one that cannot be filled here is not offered', () => {
  const body = { type: 'body', text: 'Hi {{customer}}, see {{customer}}' }
  const link = { type: 'URL', text: 'Track', url: 'https://example.com/{{1}}' }
  expect(readTemplate([{ type: 'HEADER', format: 'IMAGE' }, body, { type: 'BUTTONS', buttons: [link] }])).toMatchObject(
    {
      isKnown: true,
      places: [
        { part: 'header', kind: 'image' },
        { part: 'body', name: 'customer' },
        { part: 'button', index: 0, name: '1' },
      ],
    },
  )
  for (const part of [{ type: 'CAROUSEL' }, { type: 'BUTTONS', buttons: [{ type: 'OTP', text: 'Copy' }] }])
    expect(readTemplate([body, part]).isKnown).toBe(false)
  expect(readTemplate('nothing').isKnown).toBe(false)
  expect(
    readTemplateUpdates({ entry: [null, { id: '1', changes: [{ field: 'message_template_status_update' }] }] }),
  ).toEqual([])
})
