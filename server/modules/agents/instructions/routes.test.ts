import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeChatbot } from '../../../../tests/support/collab'
import { inviteMember } from '../../../../tests/support/people'
import { type Registered, startTestServer, type TestServer } from '../../../../tests/support/server'
import { Role } from '../../../access/roles'
import { readInstructions, updateInstructions, VERSIONS_CAP } from '../../../contracts/instructions'

let server: TestServer
let ada: Registered
beforeAll(async () => {
  server = await startTestServer()
  ada = await server.register({ first_name: 'Ada', last_name: 'Lovelace' })
})
afterAll(() => server.close())

async function setUp() {
  const { pgid, cgid } = await makeChatbot(ada)
  const params = { pgid, cgid }
  const path = `/api/projects/${pgid}/chatbots/${cgid}/instructions`
  const save = (text: string, was: string, who = ada) => who.call(updateInstructions, { params, body: { text, was } })
  const read = () => ada.call(readInstructions, { params })
  return { params, path, save, read }
}

test('each save is a version, the newest first; saving the same again is none', async () => {
  const { save, read } = await setUp()
  expect(await read()).toEqual({ text: '', versions: [] })
  await save('Be brief.', '')
  await save('Be brief. Be kind.', 'Be brief.')
  const saved = await save('Be brief. Be kind.', 'Be brief. Be kind.')
  expect(saved.text).toBe('Be brief. Be kind.')
  expect(saved.versions.map(({ text, by }) => [text, by])).toEqual([
    ['Be brief. Be kind.', 'Ada Lovelace'],
    ['Be brief.', 'Ada Lovelace'],
  ])
  expect(await read()).toEqual(saved)
})

test('who saves over what somebody else has saved meanwhile is refused, and nothing is lost', async () => {
  const { save, read, path } = await setUp()
  const grace = await inviteMember(server, ada, Role.EDITOR)
  await save('Ours', '')
  await save('Hers', 'Ours', grace)
  expect(await ada.send('POST', path, { text: 'Mine', was: 'Ours' })).toMatchObject({
    status: 409,
    body: { code: 'conflict' },
  })
  expect((await read()).text).toBe('Hers')
  // of two concurrent saves, one is refused
  const both = await Promise.all(['Mine', 'Hers too'].map((text) => ada.send('POST', path, { text, was: 'Hers' })))
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409])
  // an identical text is no conflict
  await save((await read()).text, 'Ours')
})

test('20,000 characters are kept and one more is refused', async () => {
  const { save, path } = await setUp()
  await save('x'.repeat(20_000), '')
  expect(await ada.send('POST', path, { text: 'x'.repeat(20_001), was: 'x'.repeat(20_000) })).toMatchObject({
    status: 422,
    body: { data: { fields: { text: 'Must not exceed 20000 characters' } } },
  })
})

test('the newest hundred versions are kept', async () => {
  const { save, read } = await setUp()
  for (let at = 1; at <= VERSIONS_CAP + 2; at++) await save(`Text ${at}`, at === 1 ? '' : `Text ${at - 1}`)
  const { versions } = await read()
  expect(versions).toHaveLength(VERSIONS_CAP)
  expect(versions.at(-1)?.text).toBe('Text 3')
})
