import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addMember, makeChatbot } from '../../../../tests/support/collab'
import { type Registered, startTestServer, type TestServer } from '../../../../tests/support/server'
import { Role } from '../../../access/roles'
import {
  commentCaps,
  createThread,
  deleteComment,
  editComment,
  listMentionable,
  listThreads,
  markAllThreadsRead,
  markThreadRead,
  muteThread,
  readThread,
  reopenThread,
  replyToThread,
  resolveThread,
} from '../../../contracts/comments'
import { duplicateFlow } from '../../../contracts/flows'

let server: TestServer
let ada: Registered
let ben: Registered
let viewer: Registered
let analyst: Registered
let flow: { pgid: string; cgid: string; fid: string }
beforeAll(async () => {
  server = await startTestServer()
  ada = await server.register({ first_name: 'Ada', last_name: 'Lovelace' })
  ben = await server.register({ first_name: 'Ben', last_name: 'Cook' })
  viewer = await server.register({ first_name: 'Vi', last_name: 'Ewer' })
  analyst = await server.register({ first_name: 'Ann', last_name: 'Alyst' })
  await addMember(server, ada.pgid, ben, [Role.EDITOR])
  await addMember(server, ada.pgid, viewer, [Role.VIEWER])
  await addMember(server, ada.pgid, analyst, [Role.ANALYST])
})
afterAll(() => server?.close())
beforeEach(async () => {
  flow = await makeChatbot(ada)
})

const newId = () => server.context.ids()
const at = (gid: string) => ({ ...flow, gid })
const begin = async (who: Registered, body: string, anchor: object = { kind: 'block', id: 'b1' }, place = 'Greeting') =>
  (
    await who.call(createThread, {
      params: flow,
      body: { anchor: anchor as { kind: 'block'; id: string }, place, body, client_id: newId() },
    })
  ).thread
const answer = async (who: Registered, gid: string, body: string) =>
  (await who.call(replyToThread, { params: at(gid), body: { body, client_id: newId() } })).comment
const list = async (who: Registered, search?: string) =>
  (await who.call(listThreads, { params: flow, query: search === undefined ? {} : { search } })).threads
const open = (who: Registered, gid: string) => who.call(readThread, { params: at(gid) })
const mention = (who: Registered) => `<@${who.user.ui}>`

test('a thread is pinned, answered and read, and says to each member what is new', async () => {
  const thread = await begin(ada, `Is this polite, ${mention(ben)}?`)
  const spot = await begin(ben, 'Room for a branch', { kind: 'spot', x: 12.5, y: -40 }, '')
  expect(await list(ben)).toMatchObject([
    { gid: spot, anchor: { kind: 'spot', x: 12.5, y: -40 }, unread: 0, mentions_me: false },
    {
      gid: thread,
      anchor: { kind: 'block', id: 'b1' },
      place: 'Greeting',
      first: { by: { gid: ada.user.ui, name: 'Ada Lovelace', former: false }, text: 'Is this polite, @Ben Cook?' },
      comments: 1,
      unread: 1,
      mentions_me: true,
      resolved: null,
      muted: false,
    },
  ])
  const reply = await answer(ben, thread, 'Very')
  // one's own comments count as read
  expect((await list(ben)).map(({ unread }) => unread)).toEqual([0, 0])
  expect(await list(ada)).toMatchObject([
    { gid: thread, comments: 2, unread: 1, latest: { text: 'Very', by: { name: 'Ben Cook' } } },
    { gid: spot, unread: 1 },
  ])
  expect(await open(ada, thread)).toMatchObject({
    comments: [
      { own: true, body: `Is this polite, ${mention(ben)}?`, edited: false },
      { own: false, body: 'Very', gid: reply },
    ],
    mentioned: [{ gid: ben.user.ui, name: 'Ben Cook', former: false }],
    moderates: true,
  })
  await ada.call(markThreadRead, { params: at(thread), body: { through: reply } })
  expect((await list(ada)).map(({ unread }) => unread)).toEqual([0, 1])
  await ada.call(markAllThreadsRead, { params: flow })
  expect((await list(ada)).map(({ unread }) => unread)).toEqual([0, 0])
  // read marks are per person
  expect((await list(viewer)).map(({ unread }) => unread)).toEqual([2, 1])
})

test('what came while one read is not marked as read, and nothing becomes unread again', async () => {
  const thread = await begin(ada, 'One')
  const [first] = (await open(ben, thread)).comments
  const second = await answer(ada, thread, 'Two')
  await ben.call(markThreadRead, { params: at(thread), body: { through: first?.gid ?? '' } })
  expect((await list(ben))[0]?.unread).toBe(1)
  await ben.call(markThreadRead, { params: at(thread), body: { through: second } })
  await ben.call(markThreadRead, { params: at(thread), body: { through: first?.gid ?? '' } })
  expect((await list(ben))[0]?.unread).toBe(0)
})

test('a comment that is sent again after a lost answer is there once', async () => {
  const body = { anchor: { kind: 'group' as const, id: 'g1' }, place: '', body: 'Hello', client_id: newId() }
  const [once, again] = await Promise.all([
    ada.call(createThread, { params: flow, body }),
    ada.call(createThread, { params: flow, body }),
  ])
  expect(again).toEqual(once)
  const reply = { body: 'Yes', client_id: newId() }
  await Promise.all([1, 2].map(() => ada.call(replyToThread, { params: at(once.thread), body: reply })))
  expect((await open(ada, once.thread)).comments.map((comment) => comment.body)).toEqual(['Hello', 'Yes'])
})

test('authors change and delete their own words, those who run the project delete any', async () => {
  const thread = await begin(ben, 'Teh greeting')
  const [mine] = (await open(ben, thread)).comments
  const gid = mine?.gid ?? ''
  await ben.call(editComment, { params: at(gid), body: { body: 'The greeting' } })
  expect((await open(ada, thread)).comments).toMatchObject([{ body: 'The greeting', edited: true, own: false }])
  await expect(ada.call(editComment, { params: at(gid), body: { body: 'Mine' } })).rejects.toThrow(': 403 ')
  const hers = await answer(ada, thread, 'Fine')
  await expect(ben.call(deleteComment, { params: at(hers) })).rejects.toThrow(': 403 ')
  // the comments around it stay
  expect(await ada.call(deleteComment, { params: at(gid) })).toEqual({ thread_gone: false })
  expect((await open(ben, thread)).comments).toMatchObject([
    { deleted: true, body: '', edited: false },
    { body: 'Fine', deleted: false },
  ])
  expect(await list(ben)).toMatchObject([{ comments: 1, first: { text: '' }, latest: { text: 'Fine' } }])
  await expect(ben.call(editComment, { params: at(gid), body: { body: 'Back' } })).rejects.toThrow(': 404 ')
  expect(await ada.call(deleteComment, { params: at(hers) })).toEqual({ thread_gone: true })
  expect(await list(ada)).toEqual([])
  await expect(open(ada, thread)).rejects.toThrow(': 404 ')
})

test('a settled thread is kept with who settled it; a reply opens it again', async () => {
  const thread = await begin(ada, 'Shorter?')
  await ben.call(resolveThread, { params: at(thread) })
  await ada.call(resolveThread, { params: at(thread) })
  expect((await list(viewer))[0]?.resolved).toMatchObject({ by: { name: 'Ben Cook' } })
  await ben.call(reopenThread, { params: at(thread) })
  expect((await list(viewer))[0]?.resolved).toBeNull()
  await ben.call(resolveThread, { params: at(thread) })
  await answer(ada, thread, 'Not yet')
  expect((await list(viewer))[0]?.resolved).toBeNull()
})

test('a search finds words, people and places, as they are written', async () => {
  const thread = await begin(ada, '100% sure about “Ünique_x”?', undefined, 'Welcome')
  await begin(ben, 'Another', undefined, '')
  await ada.call(resolveThread, { params: at(thread) })
  const found = async (search: string) => (await list(ada, search)).map(({ gid }) => gid)
  for (const search of ['ünique', '100%', 'e_x', 'welcome', 'LOVELACE'])
    expect(await found(search), search).toEqual([thread])
  for (const search of ['1000', 'eax', '100_']) expect(await found(search), search).toEqual([])
  expect(await found('  ')).toHaveLength(2)
})

test('only members who may see the flow can be mentioned', async () => {
  const stranger = await server.register()
  const { people } = await ada.call(listMentionable, { params: flow })
  expect(people.map(({ name }) => name)).toEqual(['Ada Lovelace', 'Ben Cook', 'Vi Ewer'])
  for (const outsider of [stranger, analyst]) {
    await expect(begin(ada, `Look, ${mention(outsider)}`)).rejects.toThrow(
      'Somebody you mention may not see this flow.',
    )
  }
  expect(await list(ada)).toEqual([])
})

test('caps are said in words', async () => {
  await expect(begin(ada, '   ')).rejects.toThrow('Write a comment')
  await expect(begin(ada, 'x'.repeat(commentCaps.body + 1))).rejects.toThrow('A comment has at most 5,000 characters')
  const many = Array.from({ length: 51 }, (_, n) => `<@${String(n).padStart(16, 'a')}>`).join('')
  await expect(begin(ada, many)).rejects.toThrow('A comment mentions at most 50 people')
  const thread = await begin(ada, 'x'.repeat(commentCaps.body))
  const { db } = server.context
  const row = await db.selectFrom('comment_threads').selectAll().where('gid', '=', thread).executeTakeFirstOrThrow()
  const { id, ...copied } = row
  const copies = (count: number) => Array.from({ length: count }, () => ({ ...copied, gid: newId() }))
  await db
    .insertInto('comment_threads')
    .values(copies(commentCaps.openThreads - 1))
    .execute()
  await expect(begin(ada, 'One more')).rejects.toThrow('A flow can have 2,000 open threads.')
  await ada.call(resolveThread, { params: at(thread) })
  await begin(ada, 'One more')
  const words = await db.selectFrom('comments').selectAll().where('thread_id', '=', id).executeTakeFirstOrThrow()
  const replies = Array.from({ length: commentCaps.comments - 1 }, () => {
    const { id: _, ...comment } = words
    return { ...comment, gid: newId(), client_id: newId(), body: 'x' }
  })
  await db.insertInto('comments').values(replies).execute()
  await expect(answer(ada, thread, 'Again')).rejects.toThrow('A thread can have 1,000 comments.')
})

test('whoever left stays readable by name: a removed member, a deleted account', async () => {
  const guest = await server.register({ first_name: 'Gus', last_name: 'Gone' })
  await addMember(server, ada.pgid, guest, [Role.EDITOR])
  const thread = await begin(guest, 'I was here')
  await answer(ada, thread, `Thanks ${mention(guest)}`)
  await guest.call(resolveThread, { params: at(thread) })
  const { db } = server.context
  const user = await db.selectFrom('users').select('id').where('gid', '=', guest.user.ui).executeTakeFirstOrThrow()
  await db.deleteFrom('project_members').where('user_id', '=', user.id).execute()
  const { comments, mentioned } = await open(ada, thread)
  expect(comments[0]?.by).toMatchObject({ gid: guest.user.ui, name: 'Gus Gone', former: true })
  expect(mentioned).toMatchObject([{ gid: guest.user.ui, name: 'Gus Gone', former: true }])
  await db.deleteFrom('users').where('id', '=', user.id).execute()
  const after = await open(ada, thread)
  expect(after.comments[0]?.by).toMatchObject({ gid: null, name: 'Gus Gone', former: true })
  expect(after.mentioned).toMatchObject([{ gid: guest.user.ui, name: 'former member', former: true }])
  expect(after.thread.resolved?.by).toMatchObject({ gid: null, name: 'Gus Gone', former: true })
  // an existing mention does not prevent its author from editing
  await ada.call(editComment, { params: at(comments[1]?.gid ?? ''), body: { body: `Thank you ${mention(guest)}` } })
})

test('comments go with their flow, and a copy of it has none', async () => {
  await begin(ada, 'Only here')
  const copy = await ada.call(duplicateFlow, { params: flow })
  expect((await ada.call(listThreads, { params: { ...flow, fid: copy.flow.gid } })).threads).toEqual([])
  const { db } = server.context
  await db.deleteFrom('flows').where('gid', '=', flow.fid).execute()
  const left = await db
    .selectFrom('comments')
    .innerJoin('comment_threads', 'comment_threads.id', 'comments.thread_id')
    .select('comments.id')
    .where('comments.body', '=', 'Only here')
    .execute()
  expect(left).toEqual([])
})

describe('rights', () => {
  test.each([
    ['owner', Role.OWNER, 'all'],
    ['admin', Role.ADMIN, 'all'],
    ['editor', Role.EDITOR, 'own'],
    ['viewer', Role.VIEWER, 'reads'],
    ['analyst', Role.ANALYST, 'nothing'],
    ['billing', Role.BILLING, 'nothing'],
    ['stranger', null, 'unknown'],
  ] as const)('of a project: %s', async (_, role, may) => {
    const caller = await server.register()
    if (role !== null) await addMember(server, ada.pgid, caller, [role])
    const thread = await begin(ada, 'Hers')
    const hers = (await open(ada, thread)).comments[0]?.gid ?? ''
    const outcome = async (call: () => Promise<unknown>) =>
      call().then(
        () => 200,
        (error: Error) => Number(/: (\d{3}) /.exec(error.message)?.[1]),
      )
    const reads = [
      () => list(caller),
      () => open(caller, thread),
      () => caller.call(markThreadRead, { params: at(thread), body: { through: hers } }),
      () => caller.call(markAllThreadsRead, { params: flow }),
      () => caller.call(muteThread, { params: at(thread), body: { muted: true } }),
    ]
    const writes = [
      () => begin(caller, 'Mine'),
      () => answer(caller, thread, 'Mine'),
      () => caller.call(listMentionable, { params: flow }),
      () => caller.call(resolveThread, { params: at(thread) }),
      () => caller.call(reopenThread, { params: at(thread) }),
    ]
    const refused = may === 'unknown' ? 404 : 403
    const mayWrite = may === 'all' || may === 'own'
    for (const call of reads) expect(await outcome(call)).toBe(mayWrite || may === 'reads' ? 200 : refused)
    for (const call of writes) expect(await outcome(call)).toBe(mayWrite ? 200 : refused)
    expect(await outcome(() => caller.call(editComment, { params: at(hers), body: { body: 'x' } }))).toBe(refused)
    expect(await outcome(() => caller.call(deleteComment, { params: at(hers) }))).toBe(may === 'all' ? 200 : refused)
  })

  test('an id of another flow of the project leads nowhere', async () => {
    const thread = await begin(ada, 'Here')
    const comment = (await open(ada, thread)).comments[0]?.gid ?? ''
    const elsewhere = await makeChatbot(ada)
    const params = { ...elsewhere, gid: thread }
    const body = { body: 'x', client_id: newId() }
    await expect(ada.call(readThread, { params })).rejects.toThrow(': 404 ')
    await expect(ada.call(replyToThread, { params, body })).rejects.toThrow(': 404 ')
    await expect(ada.call(resolveThread, { params })).rejects.toThrow(': 404 ')
    await expect(ada.call(muteThread, { params, body: { muted: true } })).rejects.toThrow(': 404 ')
    await expect(ada.call(deleteComment, { params: { ...elsewhere, gid: comment } })).rejects.toThrow(': 404 ')
  })
})
