import { afterAll, beforeAll, expect, test } from 'vitest'
import { registry } from '../../../blocks/registry'
import { type Block, emptyFlow, type Flow } from '../../../engine/flow/schema'
import { plainRichText } from '../../../engine/values/richText'
import { createTestClock } from '../../../tests/support/clock'
import { insertPublishedFlow } from '../../../tests/support/publishedFlow'
import { startVendorWrites, type VendorWrite } from '../../../tests/support/vendors/vendorWrites'
import type { Conversation } from '../../contracts/chat'

/** What goes wrong at a vendor while a visitor talks: what they are told, and what the editor is. */
const clock = createTestClock('2026-11-24T10:00:00Z')
let vendors: Awaited<ReturnType<typeof startVendorWrites>>
beforeAll(async () => {
  vendors = await startVendorWrites({ clock })
})
afterAll(() => vendors?.close())

const SORRY = 'We will write to you.'
const mail = { type: 'dynamic', parts: [{ type: 'variable', variable_id: 'mail' }] }

/** A block of each vendor's, set up to write what the visitor has said. */
const blocks: Record<VendorWrite['vendor'], () => [kind: string, data: object]> = {
  google: () => ['sheet-row', { ...sheet(), cells: [{ id: 'c', column: 'Name', value: mail }] }],
  hubspot: () => ['hubspot-record', { connection: vendors.connections.hubspot, findValue: mail }],
  salesforce: () => ['salesforce-record', { connection: vendors.connections.salesforce, findValue: mail }],
  zendesk: () => ['zendesk-ticket', { connection: vendors.connections.zendesk, body: mail }],
  calendly: () => {
    const { eventType } = requestOf('calendly') as { eventType: string }
    const connection = vendors.connections.calendly
    return ['calendly-booking', { connection, eventType: { id: eventType, name: 'Quick' }, email: mail, name: mail }]
  },
}

function requestOf(vendor: VendorWrite['vendor'], word = 'now'): unknown {
  const write = vendors.writes.find((each) => each.vendor === vendor)
  void write?.prepare?.(word)
  return write?.request(word)
}
function sheet(): object {
  const { connection, spreadsheet, tab } = requestOf('google') as Record<string, unknown>
  return { connection, spreadsheet, tab }
}

function flowOf(kind: string, data: object): Flow {
  const made = (id: string, kind: string, data: object): Block => ({
    id,
    kind,
    version: registry.get(kind).migrations.length,
    data: { ...(registry.get(kind).defaults(() => `${id}-item`) as Block['data']), ...data } as Block['data'],
  })
  const group = (id: string, ...blocks: Block[]) => ({ id, title: id, position: { x: 0, y: 0 }, blocks })
  const words = (id: string, text: string) => made(id, 'text', { content: plainRichText(text) })
  return {
    ...emptyFlow(),
    variables: [{ id: 'mail', name: 'mail', value: null }],
    groups: [
      group('a', made('start', 'start', {}), made('ask', 'email-input', { saveTo: 'mail' }), made('call', kind, data)),
      group('good', words('done', 'Done.')),
      group('bad', words('sorry', SORRY)),
    ],
    edges: [
      { from: { blockId: 'call', portId: 'success' }, to: { groupId: 'good' } },
      { from: { blockId: 'call', portId: 'failure' }, to: { groupId: 'bad' } },
    ],
  }
}

/** A visitor who has been asked, and what they are told when they answer. */
async function talk(kind: string, data: object) {
  const { server, projectId } = vendors
  const slug = `talk-${server.context.ids()}`
  await insertPublishedFlow(server.context.db, flowOf(kind, data), slug, {}, projectId)
  const guest = await server.guest()
  const base = `/api/chat/${slug}/conversations`
  const { body } = await guest.send('POST', base, { client_id: `start-${slug}` })
  const { token, conversation } = body.data as { token: string; conversation: Conversation }
  const authorization = `Bearer ${token}`

  return async (): Promise<{ told: unknown[]; notes: string[] }> => {
    const reply = { client_id: `reply-${slug}`, reply: { type: 'text', text: 'eve@example.com' } }
    const url = `${server.url}${base}/${conversation.id}/messages`
    const headers = { authorization, 'content-type': 'application/json' }
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(reply) })
    expect(response.status).toBe(200)
    const said = () =>
      server.context.db
        .selectFrom('messages')
        .innerJoin('conversations', 'conversations.id', 'messages.conversation_id')
        .where('conversations.gid', '=', conversation.id)
        .where('author', '=', 1)
        .select('content')
        .orderBy('seq')
        .execute()
    const before = conversation.messages.filter(({ author }) => author === 1).length
    await expect.poll(async () => (await said()).length, { timeout: 10_000 }).toBeGreaterThan(before)
    const told = (await said()).slice(before).map(({ content }) => content)
    const records = await server.context.db
      .selectFrom('turn_records')
      .innerJoin('conversations', 'conversations.run_id', 'turn_records.run_id')
      .where('conversations.gid', '=', conversation.id)
      .select('trace')
      .execute()
    const notes = records.flatMap(({ trace }) => trace.flatMap(({ note }) => note ?? []))
    return { told, notes }
  }
}

const saying = (text: string) => ({ kind: 'text', text: plainRichText(text) })
const onlySorry = [saying(SORRY)]
/** What a block says by itself before it calls its vendor. */
const asks: Partial<Record<VendorWrite['vendor'], string>> = { calendly: 'When would you like to meet?' }

test.each(['google', 'hubspot', 'salesforce', 'zendesk', 'calendly'] as const)(
  'a page in place of %s’s answer, or a token that is revoked meanwhile: visitors read what the flow says of a failure, editors what to do',
  async (vendor) => {
    const standIn = vendors.standIns[vendor]
    const expected = [...(asks[vendor] ? [saying(asks[vendor])] : []), ...onlySorry]
    const begun = await talk(...blocks[vendor]())
    standIn.fail({ on: '*', with: 'html', times: 99 })
    const unread = await begun()
    expect.soft(unread.told).toEqual(expected)
    expect.soft(unread.notes.join()).toContain('answered something that can’t be read. Try again later.')
    standIn.faults.clear()

    const other = await talk(...blocks[vendor]())
    standIn.fail({ on: '*', with: 'tokenRevoked', times: 1 })
    // a client of the account's own would get a new one
    const { client } = vendors.zendesk
    const { secret } = client
    if (vendor === 'zendesk') client.secret = 'another'
    const revoked = await other()
    expect.soft(revoked.told).toEqual(expected)
    expect.soft(revoked.notes.join()).toContain('Connect it again under Integrations.')
    expect(standIn.broken).toEqual([])
    client.secret = secret
    standIn.faults.clear()
    await vendors.connect[vendor]()
  },
)

test('a spreadsheet that is deleted, and a property that became required, while a visitor talks', async () => {
  const { google, hubspot } = vendors
  const [kind, data] = blocks.google()
  const begun = await talk(kind, data)
  google.spreadsheets.delete((data as { spreadsheet: { id: string } }).spreadsheet.id)
  const gone = await begun()
  expect(gone.told).toEqual(onlySorry)
  expect(gone.notes.join()).toMatch(/The spreadsheet “.+” was not found\. It may have been deleted/)

  const other = await talk(...blocks.hubspot())
  hubspot.addProperty('contacts', { name: 'budget', label: 'Budget', required: true })
  const required = await other()
  expect(required.told).toEqual(onlySorry)
  expect(required.notes.join()).toMatch(/budget/i)
  expect(hubspot.all('contacts').filter(({ properties }) => properties.email === 'eve@example.com')).toEqual([])
})
