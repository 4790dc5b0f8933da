import { afterAll, afterEach, expect, test } from 'vitest'
import type { Medium } from '../../../engine/values/mediaFile'
import { createTestClock } from '../../../tests/support/clock'
import { startWhatsappServer } from '../../../tests/support/vendors/whatsapp/whatsappServer'
import { listWhatsappTemplates, submitWhatsappTemplate, type TemplateDraft } from '../../contracts/whatsappTemplates'
import { writeTemplate } from './writeTemplate'

/** Templates whose heading is a picture, a video or a document. */
const clock = createTestClock('2026-11-24T10:00:00Z')
const started = await startWhatsappServer({ clock, connected: true })
const { whatsapp, ada, place } = started
afterAll(started.close)
afterEach(() => expect(whatsapp.broken).toEqual([]))

const BYTES = {
  image: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
    'base64',
  ),
  video: Buffer.from('\0\0\0\x18ftypisom\0\0\0\0isommp41', 'latin1'),
  document: Buffer.from('%PDF-1.4\n%%EOF\n'),
} as const

async function upload(bytes: Buffer, medium: Medium, name: string): Promise<string> {
  const path = `/api/projects/${place.pgid}/files?medium=${medium}&name=${name}`
  const { body } = await ada.send('POST', path, bytes, { 'content-type': 'application/octet-stream' })
  return (body.data as { file: { gid: string } }).file.gid
}
const draft = (name: string, media: TemplateDraft['media']): TemplateDraft => ({
  ...{ name, language: 'en', category: 'UTILITY', header: 'A text', media, body: 'It is ready.', examples: [] },
  ...{ footer: '', buttons: [] },
})
const path = () => `/api/projects/${place.pgid}/chatbots/${place.cgid}/whatsapp/templates`

test.each(['image', 'video', 'document'] as const)('an example of a heading that is a %s goes along', async (kind) => {
  const file = await upload(BYTES[kind], kind, `example.${kind}`)
  await ada.call(submitWhatsappTemplate, { params: place, body: draft(`with_${kind}`, { kind, file }) })
  const { components } = whatsapp.state.templates.find(({ name }) => name === `with_${kind}`) ?? {}
  expect(components).toMatchObject([
    { type: 'HEADER', format: kind.toUpperCase(), example: { header_handle: [expect.stringMatching(/^4::/)] } },
    { type: 'BODY', text: 'It is ready.' },
  ])
  const stored = Buffer.from(await (await fetch(`${started.server.url}/files/${file}`)).arrayBuffer())
  expect([...whatsapp.state.uploads.values()].at(-1)?.bytes.equals(stored)).toBe(true)
  const { templates } = await ada.call(listWhatsappTemplates, { params: place })
  expect(templates.find(({ name }) => name === `with_${kind}`)?.places).toEqual([
    { part: 'header', index: 0, name: '1', kind },
  ])
})

test('a file of another type, and one that is not there, are refused at their field', async () => {
  const pdf = await upload(BYTES.document, 'document', 'a.pdf')
  const refused = async (body: TemplateDraft) => {
    const answer = await ada.send('POST', path(), body)
    return [answer.status, Object.keys((answer.body.data as { fields: object }).fields)]
  }
  const before = whatsapp.calls.length
  expect(await refused(draft('x', { kind: 'image', file: pdf }))).toEqual([422, ['media.file']])
  expect(await refused(draft('x', { kind: 'document', file: 'nosuchfile000000' }))).toEqual([422, ['media.file']])
  expect(await refused(draft('x', { kind: 'document', file: '' }))).toEqual([422, ['media.file']])
  expect(whatsapp.calls.slice(before)).toEqual([])
})

test('a message brings its own file, a document with its name', () => {
  const value = (kind: 'image' | 'document', link: string) => ({
    ...{ part: 'header' as const, index: 0, name: '1', kind, value: link },
  })
  const headerOf = (kind: 'image' | 'document', link: string) =>
    JSON.stringify(writeTemplate({ name: 'a', language: 'en', values: [value(kind, link)] }))
  expect(headerOf('image', 'https://a.example/b.png')).toContain('"image":{"link":"https://a.example/b.png"}')
  expect(headerOf('document', 'https://a.example/Price%20list.pdf')).toContain(
    '"document":{"link":"https://a.example/Price%20list.pdf","filename":"Price list.pdf"}',
  )
})
