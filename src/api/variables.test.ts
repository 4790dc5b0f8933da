import i18next from 'i18next'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startI18n } from '../i18n'
import { createVariable, removeVariable, renameVariable } from './variables'

const place = { pgid: 'p', cgid: 'c', fid: 'f' }
const sent: unknown[] = []
let respond: () => Response = () => Response.error()

beforeAll(async () => {
  startI18n()
  await i18next.loadNamespaces('variables')
  vi.stubGlobal('document', { cookie: 'XSRF-TOKEN=t' })
  vi.stubGlobal('fetch', async (_url: string, init: RequestInit) => {
    sent.push(JSON.parse(String(init.body)))
    return respond()
  })
})
afterAll(() => vi.unstubAllGlobals())

const answer = (status: number, body: unknown) => () => new Response(JSON.stringify(body), { status })
const refused = (status: number, data: unknown) => answer(status, { success: false, data })
const said = (call: Promise<unknown>) => call.then(JSON.stringify, (error: Error) => error.message)

test('what is sent is what the specification lists', async () => {
  const variable = { id: 'v', name: 'Name', value: null }
  respond = answer(200, { success: true, data: { variable } })
  expect(await createVariable(place, 'Name')).toEqual(variable)
  await renameVariable(place, 'v', 'Name')
  await removeVariable(place, 'v')
  expect(sent).toEqual([
    { ...place, name: 'Name', type: 'new' },
    { ...place, name: 'Name', type: 'update', vid: 'v' },
    { ...place, vid: 'v' },
  ])
})

test.each([
  ['no variable in the answer', answer(200, { success: true, data: {} }), 'Failed to create variable, please retry.'],
  ['a failure without a message', refused(200, ''), 'Unknown error occurred'],
  ['a failure with one', refused(200, 'No more'), 'No more'],
  ['a name that is refused', refused(422, 'Variable name cannot be empty'), 'Variable name cannot be empty'],
  ['401', refused(401, 'x'), 'unauthenticated'],
  ['429', refused(429, 'x'), "You're sending too many requests! Please retry after one minute."],
  [
    'too many, said',
    refused(200, 'Too Many Attempts.'),
    "You're sending too many requests! Please retry after one minute.",
  ],
  ['500', refused(500, 'An error occured!'), 'Error creating variable, please retry.'],
  ['no response', () => Response.error(), 'Error creating variable, please retry.'],
])('creating: %s', async (_, response, text) => {
  respond = response
  expect(await said(createVariable(place, 'Name'))).toBe(text)
})

test('renaming and deleting fail in their own words', async () => {
  respond = refused(500, 'x')
  expect(await said(renameVariable(place, 'v', 'Name'))).toBe('Error saving variable, please retry.')
  expect(await said(removeVariable(place, 'v'))).toBe('Error deleting variable, please retry.')
})
