import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { registry } from '../../blocks/registry'
import { Role } from '../../server/api/roles'
import { createDocuments } from '../../server/collab/documents'
import { type FlowStatus, openFlow } from '../../src/collab/openFlow'
import { addMember, makeChatbot, openPeer, socketOf, synced } from '../support/collab'
import { type Registered, startTestServer, type TestServer } from '../support/server'

/** The builder's half of the sync and the server's, together: when does it say that an edit is safe? */
let server: TestServer
let owner: Registered
beforeAll(async () => {
  server = await startTestServer()
  owner = await server.register()
})
afterAll(() => server?.close())

const group = (id: string) => ({ id, title: id, position: { x: 0, y: 0 }, blocks: [] })
/** What another process would read from the database now. */
const storedFlow = async (fid: string) => {
  const flow = await server.context.db
    .selectFrom('flows')
    .select(['id', 'project_id'])
    .where('gid', '=', fid)
    .executeTakeFirstOrThrow()
  return createDocuments({ ...server.context }).readFlow(flow.project_id, flow.id)
}
const openEditor = (client: Registered, fid: string, readOnly = false) =>
  openFlow({
    room: fid,
    readOnly,
    registry,
    url: `${server.url.replace('http', 'ws')}/collab`,
    WebSocket: socketOf(client),
  })
const reaches = (flow: ReturnType<typeof openFlow>, status: FlowStatus): Promise<void> =>
  new Promise((resolve) => {
    const look = () => {
      if (flow.store.getState().status !== status) return
      unsubscribe()
      resolve()
    }
    const unsubscribe = flow.store.subscribe(look)
    look()
  })

describe('an editor', () => {
  test('is told that an edit is saved only when another process could read it', async () => {
    const { fid } = await makeChatbot(owner)
    const editor = openEditor(owner, fid)
    await reaches(editor, 'saved')
    editor.document.commands.addGroup(group('g1'))
    expect(editor.store.getState().status).toBe('saving')
    await reaches(editor, 'saved')
    expect((await storedFlow(fid)).groups.map(({ id }) => id)).toContain('g1')
    // a deletion alone leaves the state vector as it was
    editor.document.commands.batch(() => editor.document.commands.deleteVariable('none'))
    editor.document.commands.addVariable({ id: 'v', name: 'V', value: null })
    await reaches(editor, 'saved')
    editor.document.commands.deleteVariable('v')
    expect(editor.store.getState().status).toBe('saving')
    await reaches(editor, 'saved')
    expect((await storedFlow(fid)).variables).toEqual([])
    editor.close()
  })

  test('has edits made offline kept, and merged and saved when the connection is back', async () => {
    const { fid } = await makeChatbot(owner)
    const editor = openEditor(owner, fid)
    const peer = openPeer(server, owner, fid)
    await Promise.all([reaches(editor, 'saved'), synced(peer)])
    editor.disconnect()
    await reaches(editor, 'offline')
    editor.document.commands.addGroup(group('offline'))
    peer.document.commands.addGroup(group('online'))
    editor.connect()
    await reaches(editor, 'saved')
    await peer.sees((document) => document.projection().groups.has('offline'))
    expect(editor.document.projection().groups.has('online')).toBe(true)
    expect((await storedFlow(fid)).groups.map(({ id }) => id)).toEqual(expect.arrayContaining(['offline', 'online']))
    editor.close()
    peer.leave()
  })

  test('of a flow that was deleted is told so, and cannot go on', async () => {
    const { fid } = await makeChatbot(owner)
    const editor = openEditor(owner, fid)
    await reaches(editor, 'saved')
    await server.context.db.deleteFrom('flows').where('gid', '=', fid).execute()
    editor.document.commands.addGroup(group('late'))
    await reaches(editor, 'refused')
    expect(editor.store.getState()).toMatchObject({ refusal: 'gone', readOnly: true })
    const before = editor.document.projection()
    editor.document.commands.addGroup(group('later'))
    expect(editor.document.projection()).toBe(before)
    editor.close()
  })

  test('whose right to write was withdrawn is told at the next edit', async () => {
    const { fid, pgid } = await makeChatbot(owner)
    const helper = await server.register()
    await addMember(server, pgid, helper, [Role.EDITOR])
    const editor = openEditor(helper, fid)
    await reaches(editor, 'saved')
    await addMember(server, pgid, helper, [Role.VIEWER])
    // the right that was found last holds for a second: edit until it is asked for again
    const timer = setInterval(() => editor.document.commands.addGroup(group(`g${++edits}`)), 200)
    let edits = 0
    await reaches(editor, 'refused')
    clearInterval(timer)
    expect(editor.store.getState()).toMatchObject({ refusal: 'no-right', readOnly: true })
    editor.close()
  })
})
