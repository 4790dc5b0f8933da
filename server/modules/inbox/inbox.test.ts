import { afterAll, beforeAll, expect, it } from 'vitest'
import { endBackgroundWork } from '../../../tests/support/backgroundWork'
import { addMember, makeChatbot } from '../../../tests/support/collab'
import { picture } from '../../../tests/support/pictures'
import { type Registered, startTestServer, type TestServer } from '../../../tests/support/server'
import { timedFlow, timedRegistry } from '../../../tests/support/timedFlow'
import { Role } from '../../access/roles'
import { readConversation, sendMessage, showVisitorPresence, startConversation } from '../../contracts/chat'
import { readChatbot } from '../../contracts/chatbots'
import { createContact, updateContact } from '../../contracts/contacts'
import { importFlow, publishFlow } from '../../contracts/flows'
import * as contract from '../../contracts/inbox'
import { removeMember } from '../../contracts/members'
import { removePicture, setPicture } from '../../contracts/pictures'
import { addFaq, deleteSources } from '../../contracts/sources'
import { appendEvent } from '../../platform/events/defineEvent'
import { conversationHandedOver } from '../conversations/events'

let server: TestServer
let ada: Registered
let bob: Registered
let pgid: string
let slug: string
let count = 0
/** ms that the server's clock is ahead */
let ahead = 0
beforeAll(async () => {
  server = await startTestServer({ registry: timedRegistry, clock: () => new Date(Date.now() + ahead) })
  ada = await server.register({ first_name: 'Ada', last_name: 'Lovelace' })
  bob = await server.register({ first_name: 'Bob', last_name: 'Bell' })
  const flow = await makeChatbot(ada)
  pgid = flow.pgid
  await addMember(server, pgid, bob, [Role.ADMIN])
  slug = (await ada.call(readChatbot, { params: { pgid, cgid: flow.cgid } })).chatbot.slug
  const source = JSON.stringify(askingFlow())
  await ada.call(importFlow, { params: flow, body: { source, mode: 'replace' } })
  await ada.call(publishFlow, { params: flow })
})
afterAll(() => server.close())

/** Asks eight times, and ends. */
function askingFlow() {
  const flow = timedFlow({ noReplyAfter: 172_800 })
  const [start, ask] = flow.groups
  const asks = Array.from({ length: 8 }, (_, at) => ({
    ...ask,
    id: `g${at + 1}`,
    blocks: ask?.blocks.map((block) => ({ ...block, id: `timed${at + 1}` })),
  }))
  const edges = asks.map(({ id }, at) => ({
    from: { blockId: at === 0 ? 'start' : `timed${at}`, portId: 'next' },
    to: { groupId: id },
  }))
  return { ...flow, groups: [start, ...asks], edges }
}

/** A visitor with a conversation. */
async function visitor(words?: string) {
  const guest = await server.guest()
  const browser = `visitor${String(++count).padStart(9, '0')}`
  const { token, conversation } = await guest.call(startConversation, {
    params: { slug },
    body: {
      client_id: `start-${String(++count).padStart(4, '0')}`,
      visitor: browser,
    },
  })
  const params = { slug, conversation: conversation.id }
  const authorization = `Bearer ${token}`
  const pathOf = (path: string) => path.replace(':slug', slug).replace(':conversation', conversation.id)
  const say = (text: string) =>
    guest.send(
      'POST',
      pathOf(sendMessage.path),
      { client_id: `message-${++count}`, reply: { type: 'text', text } },
      { authorization },
    )
  if (words !== undefined) expect((await say(words)).status).toBe(200)
  return {
    gid: conversation.id,
    params,
    say,
    /** begins another conversation in the same browser */
    again: () =>
      guest.call(startConversation, { params: { slug }, body: { client_id: `again-${count}-x`, visitor: browser } }),
    /** says that the visitor writes */
    types: () => guest.send('POST', pathOf(showVisitorPresence.path), { typing: true }, { authorization }),
    /** what the visitor's page is shown */
    async sees() {
      const answer = await guest.send('GET', pathOf(readConversation.path), undefined, { authorization })
      return (
        answer.body as {
          data: {
            conversation: {
              state: string
              request: unknown
              before?: number
              messages: { sender?: string; content: unknown }[]
            }
          }
        }
      ).data.conversation
    },
  }
}
const list = async (who: Registered, query: object) =>
  (await who.call(contract.listInbox, { params: { pgid }, query: { view: 'all', ...query } })).conversations
const change = (who: Registered, conversations: string[], wanted: contract.ConversationChange) =>
  who.call(contract.changeConversations, { params: { pgid }, body: { conversations, change: wanted } })
const reply = (who: Registered, conversation: string, text: string, how: object = {}) =>
  who.call(contract.replyToVisitor, {
    params: { pgid, conversation },
    body: {
      client_id: `reply-${++count}-${count}`,
      text,
      seen: 2_000_000,
      file_ids: [],
      anyway: false,
      reopen: false,
      close: false,
      ...how,
    },
  })
const thread = (who: Registered, conversation: string) =>
  who.call(contract.readThread, { params: { pgid, conversation }, query: {} })

it('goes from the bot to a person and back: list, take over, answer, give back', async () => {
  const guest = await visitor('Hello bot')
  expect((await list(ada, { view: 'bot' })).map(({ gid }) => gid)).toContain(guest.gid)
  await change(ada, [guest.gid], { status: 'person' })
  expect((await list(ada, { view: 'mine' })).map(({ gid, assignee }) => [gid, assignee?.name])).toEqual([
    [guest.gid, 'Ada Lovelace'],
  ])
  await guest.say('Is there a person?')
  expect((await list(ada, { view: 'waiting' })).map(({ gid }) => gid)).toEqual([guest.gid])
  await reply(ada, guest.gid, 'Yes, **me**')
  expect(await list(ada, { view: 'waiting' })).toEqual([])
  const seen = await guest.sees()
  expect(seen.messages.at(-1)).toMatchObject({
    sender: 'Ada',
    content: { kind: 'text', text: [{ children: [{ text: 'Yes, ' }, { text: 'me', bold: true }] }] },
  })
  await change(ada, [guest.gid], { status: 'bot' })
  expect((await guest.say('Back')).status).toBe(200)
  expect((await guest.sees()).messages.at(-1)).not.toHaveProperty('sender')
  const page = await thread(ada, guest.gid)
  expect(page.turns.length).toBeGreaterThan(1)
  await expect
    .poll(async () => (await thread(ada, guest.gid)).activity.map(({ kind, by }) => [kind, by]))
    .toEqual([
      ['assigned', 'Ada Lovelace'],
      ['given_back', 'Ada Lovelace'],
    ])
})

it('shows the picture of who answers, to the visitor and to colleagues', async () => {
  const cleo = await server.register({ first_name: 'Cleo', last_name: 'Kim' })
  await addMember(server, pgid, cleo, [Role.ADMIN])
  const answer = await cleo.send('POST', setPicture.path, await picture('jpeg'), { 'content-type': 'image/jpeg' })
  const { picture: shown } = answer.body.data as { picture: string }
  expect(shown).toMatch(/^\/files\/people\/[a-z0-9]{16}$/)
  const guest = await visitor('Hello')
  await reply(cleo, guest.gid, 'Hello, I am Cleo')
  await cleo.call(contract.addNote, {
    params: { pgid, conversation: guest.gid },
    body: { client_id: 'note-of-cleo', body: 'Nice' },
  })
  expect((await guest.sees()).messages.at(-1)).toMatchObject({ sender: 'Cleo', picture: shown })
  const { messages, notes } = await thread(ada, guest.gid)
  expect(messages.at(-1)?.sender).toEqual({ gid: cleo.user.ui, name: 'Cleo Kim', picture: shown })
  expect(notes.map((note) => [note.by, note.picture])).toEqual([['Cleo Kim', shown]])
  const [entry] = (await list(ada, { view: 'all' })).filter(({ gid }) => gid === guest.gid)
  expect(entry?.assignee).toEqual({ gid: cleo.user.ui, name: 'Cleo Kim', picture: shown })
  const params = { pgid, conversation: guest.gid }
  const { conversation } = await ada.call(contract.readInboxConversation, { params })
  expect(conversation.participants).toEqual([{ gid: cleo.user.ui, name: 'Cleo Kim', picture: shown }])
  // others have none
  await reply(ada, guest.gid, 'And I am Ada')
  expect((await guest.sees()).messages.at(-1)).not.toHaveProperty('picture')
  await cleo.call(removePicture)
  expect((await thread(ada, guest.gid)).messages.at(-2)?.sender?.picture).toBeNull()
  await ada.call(removeMember, { params: { pgid, gid: cleo.user.ui } })
})

it('keeps the words of who answers late, and says why: it was closed, or a colleague has answered', async () => {
  const guest = await visitor('Hello')
  const { seq } = await reply(ada, guest.gid, 'I am here')
  await guest.say('Thanks')
  await reply(bob, guest.gid, 'So am I', { seen: seq + 1 })
  await expect(reply(ada, guest.gid, 'Anything else?', { seen: seq + 1 })).rejects.toThrow('colleague_answered')
  await reply(ada, guest.gid, 'Anything else?', { seen: seq + 1, anyway: true })
  await change(bob, [guest.gid], { status: 'closed' })
  await expect(reply(ada, guest.gid, 'Bye')).rejects.toThrow('conversation_closed')
  await reply(ada, guest.gid, 'Bye', { reopen: true, close: true })
  expect((await list(ada, { view: 'closed' })).map(({ gid }) => gid)).toContain(guest.gid)

  // its visitor opens it again, and the person who had it goes on
  expect(await guest.sees()).toMatchObject({ state: 'ended', request: { input: 'text' } })
  expect((await guest.say('One more thing')).status).toBe(200)
  const [mine] = (await list(ada, { view: 'mine' })).filter(({ gid }) => gid === guest.gid)
  expect(mine).toMatchObject({ status: 'person', assignee: { name: 'Ada Lovelace' } })
})

it('is one answer however often it is sent, and two at once are both there, in one order', async () => {
  const guest = await visitor('Hello')
  const body = { text: 'Once', file_ids: [], seen: 9, anyway: false, reopen: false, close: false }
  const params = { pgid, conversation: guest.gid }
  const twice = await Promise.all(
    [1, 2].map(() => ada.call(contract.replyToVisitor, { params, body: { client_id: 'the-same-one', ...body } })),
  )
  expect(new Set(twice.map(({ seq }) => seq)).size).toBe(1)
  await Promise.all([reply(ada, guest.gid, 'from Ada'), reply(bob, guest.gid, 'from Bob')])
  const { messages } = await thread(ada, guest.gid)
  const said = messages.filter(({ sender }) => sender).map(({ sender }) => sender?.name)
  expect(said.toSorted()).toEqual(['Ada Lovelace', 'Ada Lovelace', 'Bob Bell'])
})

it('sorts conversations: labels, priority, notes with mentions, several at once, each with its reason', async () => {
  const [one, two] = [await visitor('I want my money'), await visitor('Refund please')]
  const { label } = await ada.call(contract.addLabel, { params: { pgid }, body: { name: 'Money', colour: 'red' } })
  const twin = { params: { pgid }, body: { name: 'money', colour: 'blue' as const } }
  await expect(ada.call(contract.addLabel, twin)).rejects.toThrow('There is a label of this name.')
  const gone = '0'.repeat(16)
  const { failed } = await change(ada, [one.gid, two.gid, gone], { add_labels: [label.gid], priority: 3 })
  expect(failed).toEqual([{ conversation: gone, reason: 'This page could not be found' }])
  const labelled = await list(bob, { label: label.gid })
  expect(labelled.map(({ gid, priority }) => [gid, priority]).toSorted()).toEqual(
    [
      [one.gid, 3],
      [two.gid, 3],
    ].toSorted(),
  )
  await change(ada, [one.gid], { remove_labels: [label.gid] })
  expect((await list(bob, { label: label.gid })).map(({ gid }) => gid)).toEqual([two.gid])

  const { me } = await bob.call(contract.readInboxSetup, { params: { pgid } })
  const note = { client_id: 'note-0001', body: `Ask <@${me}> about it` }
  const params = { pgid, conversation: two.gid }
  await ada.call(contract.addNote, { params, body: note })
  await ada.call(contract.addNote, { params, body: note })
  expect((await thread(bob, two.gid)).notes).toMatchObject([{ by: 'Ada Lovelace', body: note.body }])
  expect((await list(bob, { view: 'mentions' })).map(({ gid }) => gid)).toEqual([two.gid])
  expect(await list(ada, { view: 'mentions' })).toEqual([])
  expect((await two.sees()).messages.map(({ content }) => JSON.stringify(content)).join()).not.toContain('about it')
})

it('pages go on where the one before ended, and counts are those of the views', async () => {
  const all = []
  for (let at = 0; at < contract.CONVERSATIONS_A_PAGE; at++) all.push((await visitor('Page me')).gid)
  const query = { view: 'bot' as const }
  const first = await ada.call(contract.listInbox, { params: { pgid }, query })
  expect(first.conversations.map(({ gid }) => gid)).toEqual(all.toReversed())
  const second = await ada.call(contract.listInbox, { params: { pgid }, query: { ...query, after: first.next ?? '' } })
  const seen = new Set(first.conversations.map(({ gid }) => gid))
  expect(second.conversations.some(({ gid }) => seen.has(gid))).toBe(false)
  const { counts } = await ada.call(contract.countInbox, { params: { pgid } })
  expect(counts.bot).toBe(first.conversations.length + second.conversations.length)
  expect(second.next).toBeNull()
})

it('finds all words of a message, the last as a beginning, and refuses a search that is too long', async () => {
  const guest = await visitor('The parcel from Zanzibar is late')
  const found = async (search: string) => (await list(ada, { search })).map(({ gid }) => gid)
  expect(await found('zanzibar late')).toEqual([guest.gid])
  expect(await found('late zanz')).toEqual([guest.gid])
  expect(await found('zanz late')).toEqual([])
  expect(await found("zanzibar' | 'x")).toEqual([])
  expect(await found('!!! ???')).toEqual([])
  const long = await ada.send('GET', `/api/projects/${pgid}/inbox?view=all&search=${'x'.repeat(10_000)}`)
  expect([long.status, long.text]).toEqual([422, expect.stringContaining('Must not exceed 200 characters')])
})

it('sends files with an answer, by their ids, as the visitor may open them', async () => {
  const guest = await visitor('Send me the form')
  const path = contract.sendReplyFile.path.replace(':pgid', pgid).replace(':conversation', guest.gid)
  const upload = async (who: Registered, bytes: string) => {
    const cookie = [...who.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = {
      'content-type': 'application/octet-stream',
      cookie,
      'x-xsrf-token': who.cookies.get('XSRF-TOKEN') ?? '',
    }
    const response = await fetch(`${server.url}${path}?name=form.csv`, { method: 'POST', headers, body: bytes })
    return { status: response.status, body: (await response.json()) as unknown }
  }
  const { file } = ((await upload(ada, 'a,b')).body as { data: { file: { id: string; type: string } } }).data
  expect(file).toMatchObject({ name: 'form.csv', type: 'text/csv', size: 3 })
  expect((await upload(ada, '')).status).toBe(422)

  await reply(ada, guest.gid, 'Here it is', { file_ids: [file.id] })
  await reply(ada, guest.gid, '', { file_ids: [file.id] })
  const [said, sent, alone] = (await guest.sees()).messages.slice(-3)
  expect(said).toMatchObject({ sender: 'Ada', content: { kind: 'text' } })
  expect(sent).toMatchObject({ sender: 'Ada', content: { kind: 'files', files: [{ name: 'form.csv', size: 3 }] } })
  expect(alone?.content).toEqual(sent?.content)
  const opened = await fetch(`${server.url}/files/sent/${file.id}`)
  expect(await opened.text()).toBe('a,b')
  expect(opened.headers.get('content-disposition')).toContain('attachment')

  await expect(reply(ada, guest.gid, '')).rejects.toThrow('Enter a message')
  const other = await visitor('Hello')
  await expect(reply(ada, other.gid, 'x', { file_ids: [file.id] })).rejects.toThrow('A file is missing')
})

it('marks an answer of the bot as corrected by a source, and no message of anybody else', async () => {
  const guest = await visitor('Where are you?')
  const { cgid } = await makeChatbot(ada)
  const body = { question: 'Where are you?', answer: 'In Bern.', phrasings: [] }
  const { source } = await ada.call(addFaq, { params: { pgid, cgid }, body })
  const correct = (seq: number, gid = source.gid) =>
    ada.call(contract.correctMessage, { params: { pgid, conversation: guest.gid, seq }, body: { source: gid } })
  const said = (await thread(ada, guest.gid)).messages
  const seq = said.find(({ author }) => author === 1)?.seq ?? 0
  const visitors = said.find(({ author }) => author === 2)?.seq ?? 0
  const { seq: persons } = await reply(ada, guest.gid, 'In Basel.')
  await correct(seq)
  const shown = (await thread(ada, guest.gid)).messages.filter(({ corrected }) => corrected)
  expect(shown.map((message) => [message.seq, message.corrected])).toEqual([
    [seq, { by: 'Ada Lovelace', source: { gid: source.gid, chatbot: cgid } }],
  ])
  for (const other of [visitors, persons]) await expect(correct(other)).rejects.toThrow(': 404 ')
  await expect(correct(seq, 'aaaaaaaaaaaaaaaa')).rejects.toThrow('This source is no longer there.')
  await ada.call(deleteSources, { params: { pgid, cgid }, body: { gids: [source.gid] } })
  expect((await thread(ada, guest.gid)).messages.find((one) => one.seq === seq)?.corrected).toEqual({
    by: 'Ada Lovelace',
    source: null,
  })
})

it('brings a snoozed conversation back at its time, and before that when its visitor writes', async () => {
  const [waits, writes] = [await visitor('Later'), await visitor('Soon')]
  const until = new Date(Date.now() + ahead + 3_600_000).toISOString()
  await change(ada, [waits.gid, writes.gid], { snoozed_until: until })
  const snoozed = async () => (await list(ada, { view: 'snoozed' })).map(({ gid }) => gid).toSorted()
  expect(await snoozed()).toEqual([waits.gid, writes.gid].toSorted())
  await writes.say('I am back')
  expect(await snoozed()).toEqual([waits.gid])
  ahead += 3_600_000
  await server.context.jobs.runDue()
  expect(await snoozed()).toEqual([])
  const past = change(ada, [waits.gid], { snoozed_until: '2020-01-01T00:00:00.000Z' })
  await expect(past).rejects.toThrow('Choose a time within the next year.')
})

it('a blocked visitor can neither write nor begin anew; unblocked they can', async () => {
  const guest = await visitor('Rude words')
  await change(ada, [guest.gid], { blocked: true })
  const refused = await guest.say('More of them')
  expect([refused.status, refused.body.code]).toEqual([403, 'visitor_blocked'])
  await expect(guest.again()).rejects.toThrow('visitor_blocked')
  await change(ada, [guest.gid], { blocked: false })
  expect((await guest.say('Sorry')).status).toBe(200)
})

it('a conversation of somebody who left waits for another person', async () => {
  const guest = await visitor('Hello')
  const eve = await server.register({ first_name: 'Eve', last_name: 'Hill' })
  await addMember(server, pgid, eve, [Role.ADMIN])
  await change(eve, [guest.gid], { status: 'person' })
  await ada.call(removeMember, { params: { pgid, gid: eve.user.ui } })
  await expect(reply(eve, guest.gid, 'I was typing')).rejects.toThrow(': 404 ')
  const unassigned = async () => (await list(ada, { view: 'unassigned' })).map(({ gid }) => gid)
  await expect.poll(unassigned).toContain(guest.gid)
})

it('gives what a team is handed to its members in turn, or to who has the fewest', async () => {
  const { db } = server.context
  const { members } = await ada.call(contract.readInboxSetup, { params: { pgid } })
  const body = { name: 'Sales', assignment: 'round_robin' as const, members: members.map(({ gid }) => gid) }
  const { team } = await ada.call(contract.addTeam, { params: { pgid }, body })
  /** a conversation as a flow leaves it that hands over to the team */
  const handedOver = async () => {
    const guest = await visitor('A person please')
    const row = await db
      .updateTable('conversations')
      .set({ status: 'waiting', waiting_since: new Date() })
      .where('gid', '=', guest.gid)
      .returning(['id', 'project_id', 'gid', 'environment'])
      .executeTakeFirstOrThrow()
    const told = { team: ' sales', note: '', addresses: '[]', email: null, test: false, mailed_seq: 0, due_at: null }
    const handOff = { ...told, mailing_seq: null, mailing_key: null, handed_over_at: new Date() }
    await db
      .insertInto('hand_offs')
      .values({ ...handOff, conversation_id: row.id, project_id: row.project_id })
      .execute()
    const context = { projectId: row.project_id, by: { actor: 'bot' }, correlation: 'x', at: new Date() } as const
    await db
      .transaction()
      .execute((work) =>
        appendEvent(work, conversationHandedOver, context, { conversation: row.gid, environment: row.environment }),
      )
    const assignee = async () => {
      await server.context.jobs.runDue()
      const entry = await ada.call(contract.readInboxConversation, { params: { pgid, conversation: row.gid } })
      return entry.conversation.assignee?.name
    }
    await expect.poll(assignee).toBeDefined()
    return assignee()
  }
  const inTurn = [await handedOver(), await handedOver(), await handedOver()]
  expect(inTurn[0]).not.toBe(inTurn[1])
  expect(inTurn[2]).toBe(inTurn[0])
  await ada.call(contract.changeTeam, { params: { pgid, gid: team.gid }, body: { ...body, assignment: 'least_busy' } })
  const open = async (name: string) => (await list(ada, {})).filter(({ assignee }) => assignee?.name === name).length
  const [fewest] = await Promise.all(members.map(async ({ name }) => [await open(name), name] as const)).then((all) =>
    all.toSorted(([a], [b]) => a - b),
  )
  expect(await handedOver()).toBe(fewest?.[1])
})

it('streams what changes and who is there, and ends for who may no longer see it', async () => {
  const [guest, known] = [await visitor('Hello'), await visitor('Hello')]
  const carl = await server.register({ first_name: 'Carl', last_name: 'Cox' })
  await addMember(server, pgid, carl, [Role.ANALYST])
  // what earlier tests have changed is told of once it is settled, and would come with the first change
  await endBackgroundWork(server)
  const stream = await listen(carl)
  await stream.hears('open')
  await guest.say('Is anybody there?')
  const isTold = async (gid: string) => {
    const { conversations } = (await stream.hears('changed')) as { conversations: string[] }
    return conversations.includes(gid)
  }
  while (!(await isTold(guest.gid)));
  const params = { pgid, conversation: guest.gid }
  await ada.call(contract.showPresence, { params, body: { state: 'typing' } })
  expect(await stream.hears('presence')).toMatchObject({ person: { name: 'Ada Lovelace' }, state: 'typing' })
  await guest.types()
  expect(await stream.hears('presence')).toEqual({ conversation: guest.gid, person: null, state: 'typing' })
  // what stands between the messages is told of once it is there
  await change(ada, [guest.gid], { status: 'person' })
  const isNoted = async () => (await thread(carl, guest.gid)).activity.some(({ kind }) => kind === 'assigned')
  do await stream.hears('changed')
  while (!(await isNoted()))
  // so is what the visitor is called from now on
  const { contact } = await ada.call(createContact, { params: { pgid }, body: { fields: { name: 'Grace' } } })
  await server.context.db
    .updateTable('conversations')
    .set(({ selectFrom }) => ({ contact_id: selectFrom('contacts').select('id').where('gid', '=', contact.gid) }))
    .where('gid', '=', known.gid)
    .execute()
  await ada.call(updateContact, { params: { pgid, gid: contact.gid }, body: { fields: { name: 'Grace Hopper' } } })
  while (!(await isTold(known.gid)));
  await ada.call(removeMember, { params: { pgid, gid: carl.user.ui } })
  await stream.ended
})

/** A member's stream of the inbox. */
async function listen(who: Registered) {
  const cookie = [...who.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const path = contract.inboxEvents.path.replace(':pgid', pgid)
  const response = await fetch(`${server.url}${path}?tab=tab-00000001`, { headers: { cookie } })
  const heard: { event: string; data: unknown }[] = []
  const waiting: (() => void)[] = []
  const read = async () => {
    let rest = ''
    for await (const chunk of response.body ?? []) {
      const blocks = (rest + Buffer.from(chunk).toString()).split('\n\n')
      rest = blocks.pop() ?? ''
      for (const block of blocks) {
        const [, event, data] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? []
        if (event && data) heard.push({ event, data: JSON.parse(data) })
      }
      for (const wake of waiting.splice(0)) wake()
    }
  }
  const ended = read()
  return {
    ended,
    /** the data of the next event of a kind */
    async hears(kind: string): Promise<unknown> {
      for (;;) {
        const at = heard.findIndex(({ event }) => event === kind)
        if (at >= 0) return heard.splice(at, 1)[0]?.data
        await new Promise<void>((resolve) => waiting.push(resolve))
      }
    },
  }
}

it('says of a message of the bot which block said it, in which group and flow, and of a visitor’s nothing', async () => {
  const { gid: conversation } = await visitor('Hello')
  const { messages } = await ada.call(contract.readThread, { params: { pgid, conversation } })
  const seqs = messages.map(({ seq }) => seq)
  const debug = (seq: number) =>
    ada.call(contract.debugMessage, { params: { pgid, conversation, seq: String(seq) as never } })
  expect(messages.map(({ author }) => author)).toEqual([2, 1])
  const { block, question, text } = await debug(seqs[1] ?? 0)
  expect({ block, question, text }).toEqual({
    block: { flow: null, id: 'timed1', kind: 'timed', group: 'Ask' },
    question: 'Hello',
    text: 'got Hello',
  })
  await expect(debug(seqs[0] ?? 0)).rejects.toThrow('not_found')
})
