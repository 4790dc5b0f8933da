import { execFile, spawnSync } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createApiKey } from '../../server/contracts/api-keys'
import { listContacts } from '../../server/contracts/contacts'
import { type Language, languages, snippetOf } from '../../src/screens/api-reference/snippets'
import { type Registered, startTestServer, type TestServer } from '../support/server'

/** The code that the API's reference shows runs as it is. */
let server: TestServer
let owner: Registered
let key: string

beforeAll(async () => {
  server = await startTestServer()
  owner = await server.register()
  ;({ secret: key } = await owner.call(createApiKey, { params: { pgid: owner.pgid }, body: { name: 'Program' } }))
})
afterAll(() => server.close())

const programs: Record<Language, { program: string; args: (code: string) => string[] }> = {
  curl: { program: 'sh', args: (code) => ['-c', code.replace('curl', 'curl -sS')] },
  typescript: { program: process.execPath, args: (code) => ['--input-type=module', '-e', code] },
  python: { program: 'python3', args: (code) => ['-c', code] },
}
const has = (program: string) => spawnSync(program, ['--version']).status === 0
const isThere: Record<Language, boolean> = { curl: has('curl'), typescript: true, python: has('python3') }

const run = (language: Language, code: string) => {
  const { program, args } = programs[language]
  return promisify(execFile)(program, args(code), { env: { ...process.env, PARLEY_API_KEY: key } })
}

for (const language of languages)
  test.skipIf(!isThere[language])(`${language}: writes what has quotes, and reads it`, async () => {
    const name = `It's “${language}” \\ "quoted" $HOME`
    const body = { fields: { name, email: `${language}@example.com` }, tags: ['a', 'b'], blocked: false }
    const url = `${server.url}/api/v1/contacts`
    await run(language, snippetOf(language, { method: 'POST', url, body }))
    const { contacts } = await owner.call(listContacts, {
      params: { pgid: owner.pgid },
      query: { search: `${language}@example.com` },
    })
    expect(contacts).toMatchObject([{ fields: { name }, tags: ['a', 'b'], blocked: false }])
    const read = snippetOf(language, { method: 'GET', url: `${url}?search=${language}`, body: undefined })
    expect((await run(language, read)).stdout).toContain(contacts[0]?.gid)
  })
