import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addMember, makeChatbot, openPeer, synced } from '../../../../tests/support/collab'
import { type Registered, startTestServer, type TestServer } from '../../../../tests/support/server'
import { Role } from '../../../access/roles'
import { exportFlow } from '../../../contracts/flows'
import { deleteVariable, saveVariable } from '../../../contracts/variables'

let server: TestServer
let owner: Registered
beforeAll(async () => {
  server = await startTestServer()
  owner = await server.register()
})
afterAll(() => server?.close())

const NEW = '/api/chatbots/builder/variables/new'
const DELETE = '/api/chatbots/builder/variables/delete'
const create = (place: object, name: string) =>
  owner.call(saveVariable, { body: { ...place, name, type: 'new' } as never }).then(({ variable }) => variable)

test('a variable is created, renamed and deleted, and an open editor sees each', async () => {
  const place = await makeChatbot(owner)
  const peer = openPeer(server, owner, place.fid)
  await synced(peer)
  const names = (document: typeof peer.document) => document.projection().variables.map(({ name }) => name)
  const variable = await create(place, '  First-na!me ')
  expect(variable).toEqual({ id: variable.id, name: 'Firstname', value: null })
  await peer.sees((document) => names(document).includes('Firstname'))
  const renamed = await owner.call(saveVariable, {
    body: { ...place, name: 'Given name', type: 'update', vid: variable.id },
  })
  expect(renamed.variable).toEqual({ id: variable.id, name: 'Given name', value: null })
  await peer.sees((document) => names(document).includes('Given name'))
  expect((await owner.call(exportFlow, { params: place })).variables).toContainEqual(renamed.variable)
  expect(await owner.call(deleteVariable, { body: { ...place, vid: variable.id } })).toEqual({
    vid: variable.id,
    used_in: [],
  })
  await peer.sees((document) => !names(document).includes('Given name'))
  peer.leave()
})

test('deleting says where it was used', async () => {
  const place = await makeChatbot(owner)
  const { id: vid } = await create(place, 'Name')
  const peer = openPeer(server, owner, place.fid)
  await synced(peer)
  const data = { content: [{ type: 'paragraph', children: [{ text: '', variable: true, variable_id: vid }] }] }
  peer.document.commands.addGroup({
    id: 'g',
    title: 'G',
    position: { x: 0, y: 0 },
    blocks: [{ id: 'b', kind: 'text', version: 0, data }],
  })
  await peer.sees((document) => document.projection().blocks.has('b'))
  await expect
    .poll(async () => (await owner.call(exportFlow, { params: place })).groups.map(({ id }) => id))
    .toContain('g')
  expect(await owner.call(deleteVariable, { body: { ...place, vid } })).toEqual({
    vid,
    used_in: [{ group_id: 'g', block_id: 'b' }],
  })
  peer.leave()
})

describe('what is wrong is answered in the words of the specification', () => {
  const answer = async (path: string, body: object) => {
    const { status, body: said } = await owner.send('POST', path, body)
    return { status, data: said.data, success: said.success }
  }
  const refusal = (data: string, status = 422) => ({ status, data, success: false })

  test('names', async () => {
    const place = await makeChatbot(owner)
    await create(place, 'Taken')
    const save = (name: string, more = {}) => answer(NEW, { ...place, name, type: 'new', ...more })
    expect(await save(' -!- ')).toEqual(refusal('Variable name cannot be empty'))
    expect(await save('x'.repeat(51))).toEqual(refusal('Variable name cannot exceed 50 characters'))
    expect(await save('taken')).toEqual(refusal('A variable of this name exists already'))
    expect(await save('Free', { type: 'update' })).toEqual(refusal('Variable ID missing'))
    expect(await save('Free', { type: 'update', vid: 'gone' })).toEqual(refusal('This variable does not exist', 404))
    expect((await save('x'.repeat(50))).status).toBe(200)
  })

  test('deleting', async () => {
    const place = await makeChatbot(owner)
    expect(await answer(DELETE, place)).toEqual(refusal('Select a variable to delete'))
    expect(await answer(DELETE, { ...place, vid: 'gone' })).toEqual(refusal('This variable does not exist', 404))
  })

  test('payloads are strict', async () => {
    const place = await makeChatbot(owner)
    expect((await answer(NEW, { ...place, name: 'A', type: 'new', value: 1 })).status).toBe(422)
    expect((await answer(NEW, { ...place, name: 'A', type: 'other' })).status).toBe(422)
    expect((await answer(DELETE, { ...place, vid: 'a', force: true })).status).toBe(422)
  })
})

test('only who may edit variables changes them; a stranger finds nothing', async () => {
  const place = await makeChatbot(owner)
  const viewer = await server.register()
  const stranger = await server.register()
  await addMember(server, place.pgid, viewer, [Role.VIEWER])
  for (const [path, more] of [
    [NEW, { name: 'A', type: 'new' }],
    [DELETE, { vid: 'v' }],
  ] as const) {
    expect((await viewer.send('POST', path, { ...place, ...more })).status).toBe(403)
    expect((await stranger.send('POST', path, { ...place, ...more })).status).toBe(404)
    expect((await stranger.send('POST', path, { ...place, pgid: stranger.pgid, ...more })).status).toBe(404)
  }
  const guest = await fetch(`${server.url}${NEW}`, { method: 'POST' })
  expect(guest.status).toBe(401)
})
