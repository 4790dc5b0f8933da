import { afterAll, beforeAll, expect, test } from 'vitest'
import { registry } from '../../../blocks/registry'
import { type Block, emptyFlow, type Flow } from '../../../engine/flow/schema'
import { sealInto } from '../../../engine/flow/sealFlow'
import { secretCaps, secretIdOf } from '../../../engine/values/secrets'
import { makeChatbot } from '../../../tests/support/collab'
import { type Registered, startTestServer, type TestServer } from '../../../tests/support/server'
import { tableDump } from '../../../tests/support/tableDump'
import { createChatbot } from '../../contracts/chatbots'
import { exportFlow, importFlow } from '../../contracts/flows'
import { createSecret, listSecrets } from '../../contracts/secrets'
import { createProjectSecrets } from './projectSecrets'
import { takeIn } from './takeIn'

let server: TestServer
let owner: Registered
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server?.close())

/** A flow whose requests contain these tokens in plain text, and a secret by name. */
function flowWith(tokens: string[], named?: string): Flow {
  const kind = registry.get('http-request')
  const data = kind.defaults(() => 'item') as { auth: object }
  const blocks = tokens.map((token, at): Block => {
    const value = named === undefined ? [] : [{ type: 'variable', variable_id: secretIdOf(named) }]
    const headers = [{ id: 'h', name: { type: 'static', value: 'X-Named' }, value: { type: 'dynamic', parts: value } }]
    return {
      id: `b${at}`,
      kind: kind.kind,
      version: kind.migrations.length,
      data: {
        ...data,
        url: { type: 'static', value: 'https://example.com' },
        headers,
        auth: { ...data.auth, type: 'bearer', token: { type: 'static', value: token } },
      } as unknown as Block['data'],
    }
  })
  return { ...emptyFlow(), groups: [{ id: 'g', title: 'Calls', position: { x: 0, y: 0 }, blocks }] }
}

test('what stands open in a file becomes a secret: one for each value, told by name, and in no table', async () => {
  owner = await server.register()
  const { pgid } = owner
  const source = JSON.stringify(flowWith(['open-token-1', 'open-token-2', 'open-token-1'], 'LACKING'))
  const { chatbot, imported } = await owner.call(createChatbot, { params: { pgid }, body: { name: 'Bot', source } })
  expect(imported?.report.notes.map(({ level, message }) => [level, message])).toEqual([
    ['info', expect.stringContaining('API_TOKEN:')],
    ['info', expect.stringContaining('API_TOKEN_2:')],
    ['warning', expect.stringContaining('LACKING')],
  ])
  const params = { pgid, cgid: chatbot.gid, fid: chatbot.fid }
  // the same values again get the same names
  for (const mode of ['insert', 'replace'] as const)
    await owner.call(importFlow, { params, body: { source: JSON.stringify(flowWith(['open-token-2'])), mode } })
  const { secrets } = await owner.call(listSecrets, { params: { pgid } })
  expect(secrets.map(({ name }) => name)).toEqual(['API_TOKEN', 'API_TOKEN_2'])
  const exported = JSON.stringify(await owner.call(exportFlow, { params }))
  expect(exported).toContain(secretIdOf('API_TOKEN_2'))
  expect(exported + (await tableDump(server.context.db))).not.toContain('open-token')
})

test('a name that is taken meanwhile is given to nobody else; more secrets than a project has are refused', async () => {
  const person = await server.register()
  const { pgid } = await makeChatbot(person)
  const project = await server.context.db
    .selectFrom('projects')
    .select('id')
    .where('gid', '=', pgid)
    .executeTakeFirstOrThrow()
  const user = await server.context.db.selectFrom('users').select('id').limit(1).executeTakeFirstOrThrow()
  const origin = {
    projectId: project.id,
    by: { actor: 'user', userId: user.id },
    correlation: 'call',
    at: new Date(),
  } as const
  let tried = 0
  const taken = await takeIn(server.context, origin, async (present) => {
    if (tried++ === 0)
      await person.call(createSecret, { params: { pgid }, body: { name: 'API_TOKEN', value: 'of somebody else' } })
    return sealInto({ main: flowWith(['mine-1234']), others: [] }, registry, present)
  })
  expect(tried).toBe(2)
  expect(taken).not.toHaveProperty('secrets')
  expect(JSON.stringify(taken.flows)).toContain(secretIdOf('API_TOKEN_2'))
  expect(await createProjectSecrets(server.context).valuesOf(project.id)).toEqual(
    new Map([
      ['API_TOKEN', 'of somebody else'],
      ['API_TOKEN_2', 'mine-1234'],
    ]),
  )
  const many = flowWith(Array.from({ length: secretCaps.count }, (_, at) => `value-${at}`))
  await expect(
    takeIn(server.context, origin, (present) => sealInto({ main: many, others: [] }, registry, present)),
  ).rejects.toMatchObject({ code: 'too_large' })
})
