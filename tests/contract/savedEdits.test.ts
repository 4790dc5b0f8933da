import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { registry } from '../../blocks/registry'
import type { Person } from '../../engine/document/person'
import { Role } from '../../server/access/roles'
import { createDocuments } from '../../server/modules/flows/collab/documents'
import type { FlowStatus } from '../../src/collab/flowState'
import { openFlow } from '../../src/collab/openFlow'
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
const openEditor = (client: Registered, fid: string, readOnly = false, person?: Person) =>
  openFlow({
    room: fid,
    readOnly,
    registry,
    person,
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

  test('sends nothing as another account that has logged in since in the same browser', async () => {
    const { fid, pgid } = await makeChatbot(owner)
    const helper = await server.register()
    await addMember(server, pgid, helper, [Role.EDITOR])
    const { ui: id } = owner.user
    const person = { id, name: 'Owner', color: '#000000', viewer: false }
    const editor = openEditor(helper, fid, false, person)
    await reaches(editor, 'refused')
    expect(editor.store.getState()).toMatchObject({ refusal: 'logged-out', ready: false })
    editor.close()
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

  test('whose right to write is withdrawn becomes a reader, told what was not saved, and saves it when the right is back', async () => {
    const { fid, pgid } = await makeChatbot(owner)
    const helper = await server.register()
    await addMember(server, pgid, helper, [Role.EDITOR])
    const [editor, peer] = [openEditor(helper, fid), openPeer(server, owner, fid)]
    await Promise.all([reaches(editor, 'saved'), synced(peer)])
    editor.document.commands.addGroup(group('early'))
    await reaches(editor, 'saved')
    await setRoles(pgid, helper, [Role.VIEWER])
    // typed in the moment before it is heard that this is over
    editor.document.commands.addGroup(group('late'))
    await reaches(editor, 'refused')
    const { unsaved } = editor.store.getState()
    expect(editor.store.getState()).toMatchObject({ refusal: null, readOnly: true })
    expect(unsaved).toMatchObject([{ code: 'addGroup', name: 'late' }])
    editor.document.commands.addGroup(group('never'))
    // what the others do is seen all the same
    peer.document.commands.addGroup(group('others'))
    await expect.poll(() => [...editor.document.projection().groups.keys()]).toContain('others')
    expect((await storedFlow(fid)).groups.map(({ id }) => id)).not.toContain('late')
    await setRoles(pgid, helper, [Role.EDITOR])
    await reaches(editor, 'saved')
    expect(editor.store.getState()).toMatchObject({ readOnly: false, unsaved: [] })
    editor.document.commands.addGroup(group('again'))
    await reaches(editor, 'saved')
    const stored = (await storedFlow(fid)).groups.map(({ id }) => id)
    expect(stored).toEqual(expect.arrayContaining(['early', 'late', 'others', 'again']))
    expect(stored).not.toContain('never')
    editor.close()
    peer.leave()
  })

  test('who has nothing unsaved when the right goes, and a reader who is given it, go on without a word about changes', async () => {
    const { fid, pgid } = await makeChatbot(owner)
    const helper = await server.register()
    await addMember(server, pgid, helper, [Role.VIEWER])
    const flow = openEditor(helper, fid, true)
    await reaches(flow, 'saved')
    await setRoles(pgid, helper, [Role.EDITOR])
    await expect.poll(() => flow.store.getState().readOnly).toBe(false)
    flow.document.commands.addGroup(group('mine'))
    await reaches(flow, 'saved')
    expect((await storedFlow(fid)).groups.map(({ id }) => id)).toContain('mine')
    await setRoles(pgid, helper, [Role.VIEWER])
    await expect.poll(() => flow.store.getState().readOnly).toBe(true)
    expect(flow.store.getState()).toMatchObject({ status: 'saved', unsaved: [], refusal: null })
    flow.close()
  })

  test('whose role shuts the flow altogether is told so', async () => {
    const { fid, pgid } = await makeChatbot(owner)
    const helper = await server.register()
    await addMember(server, pgid, helper, [Role.EDITOR])
    const editor = openEditor(helper, fid)
    await reaches(editor, 'saved')
    await setRoles(pgid, helper, [Role.BILLING])
    await reaches(editor, 'refused')
    expect(editor.store.getState()).toMatchObject({ refusal: 'no-right', readOnly: true })
    editor.close()
  })

  test('hears what is announced to the flow, by topic, and a stock client is not bothered', async () => {
    const { fid } = await makeChatbot(owner)
    const [editor, peer] = [openEditor(owner, fid), openPeer(server, owner, fid)]
    await Promise.all([reaches(editor, 'saved'), synced(peer)])
    const heard: unknown[] = []
    const stop = editor.onNews('comments', (detail) => heard.push(detail))
    editor.onNews('repaired', (detail) => heard.push(detail))
    const unknown = vi.spyOn(console, 'error')
    const { id, project_id } = await server.context.db
      .selectFrom('flows')
      .select(['id', 'project_id'])
      .where('gid', '=', fid)
      .executeTakeFirstOrThrow()
    const announce = (topic: string) => server.parts.documents.announce({ id, projectId: project_id }, topic)
    announce('comments')
    announce('others')
    announce('repaired:{"a":1}')
    await expect.poll(() => heard).toEqual([null, '{"a":1}'])
    stop()
    announce('comments')
    announce('repaired')
    await expect.poll(() => heard).toEqual([null, '{"a":1}', null])
    expect(unknown).not.toHaveBeenCalled()
    unknown.mockRestore()
    editor.close()
    peer.leave()
  })
})

async function setRoles(pgid: string, member: Registered, roles: number[]) {
  await addMember(server, pgid, member, roles)
  const { id } = await server.context.db
    .selectFrom('users')
    .select('id')
    .where('gid', '=', member.user.ui)
    .executeTakeFirstOrThrow()
  server.parts.documents.rightsChanged(id)
}
