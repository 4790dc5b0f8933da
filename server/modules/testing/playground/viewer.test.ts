import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeChatbot } from '../../../../tests/support/collab'
import { inviteMember } from '../../../../tests/support/people'
import { type Registered, startTestServer, type TestServer } from '../../../../tests/support/server'
import { setPlaygroundVariables, startPlayground } from '../../../contracts/playground'

let server: TestServer
let owner: Registered
beforeAll(async () => {
  server = await startTestServer()
  owner = await server.register()
})
afterAll(() => server.close())

test('a viewer’s test begins at the start, with what a visitor would have: anything else is for editors', async () => {
  const { pgid, cgid, fid } = await makeChatbot(owner)
  const params = { pgid, cgid, fid }
  const viewer = await inviteMember(server, owner, 6)
  const editor = await inviteMember(server, owner, 3)
  const path = `/api/projects/${pgid}/chatbots/${cgid}/flows/${fid}/playground`
  const start = (who: Registered, extra: object) =>
    who.send('POST', path, { client_id: crypto.randomUUID(), as: { language: 'en' }, ...extra })
  const from = { flow_id: null, group_id: 'g1', block_id: 'somewhere' }
  for (const extra of [{ from }, { values: { name: 'x' } }, { from, values: { name: 'x' } }]) {
    expect(await start(viewer, extra)).toMatchObject({
      status: 403,
      body: { code: 'forbidden', data: 'A simulated visitor always starts at the beginning.' },
    })
    expect((await start(editor, extra)).status).not.toBe(403)
  }
  const { conversation } = await viewer.call(startPlayground, { params, body: { client_id: crypto.randomUUID() } })
  const variables = { params: { ...params, conversation: conversation.id }, body: { values: {} } }
  await expect(viewer.call(setPlaygroundVariables, variables)).rejects.toThrow('403')
})
