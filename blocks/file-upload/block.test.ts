import { expect, test } from 'vitest'
import type { Reply } from '../../engine/flow/effects'
import { plainRichText } from '../../engine/values/richText'
import { runKind, skipped, typed } from '../../tests/support/conversations'
import { importBlock } from '../../tests/support/typebot'
import { fileUploadDefaults, fileUploadSchema } from './schema'

const data = (change: object = {}) => ({
  ...fileUploadDefaults(),
  prompt: plainRichText('Your letter?'),
  saveTo: 'letter',
  ...change,
})
const file = (name: string, type = 'application/pdf', size = 10) => ({ name, url: `/files/${name}`, type, size })
const sent = (...files: ReturnType<typeof file>[]): Reply => ({ type: 'files', files })

test('keeps the address of the file, of several a list', () => {
  expect(runKind('file-upload', data(), { replies: [sent(file('a.pdf'))] })).toMatchObject({
    said: ['Your letter?'],
    port: 'next',
    variables: { letter: '/files/a.pdf' },
  })
  const several = data({ maxCount: 3 })
  expect(runKind('file-upload', several, { replies: [sent(file('a.pdf'))] }).variables.letter).toEqual(['/files/a.pdf'])
})

test('tells the visitor’s input its limits', () => {
  expect(runKind('file-upload', data({ accept: 'images', maxSize: 2.5, maxCount: 4 })).request).toEqual({
    input: 'file',
    required: true,
    accept: ['image/*'],
    maxSize: 2_500_000,
    maxCount: 4,
  })
})

test.each<[object, Reply, string]>([
  [{}, sent(file('a.pdf'), file('b.pdf')), 'Send one file'],
  [{ maxCount: 2 }, sent(...['a', 'b', 'c'].map((name) => file(name))), 'Send at most 2 files'],
  [{ maxSize: 1 }, sent(file('a.pdf', 'application/pdf', 1_000_001)), 'a.pdf is larger than 1 MB'],
  [{ accept: 'images' }, sent(file('a.pdf')), 'a.pdf is not of a type that is taken here'],
  [{}, sent(), 'Choose a file to send'],
  [{}, skipped, 'Choose a file to send'],
  [{ required: false }, typed('here you are'), 'Choose a file to send'],
])('of %j, %j is refused: %s', (change, reply, message) => {
  const run = runKind('file-upload', data(change), { replies: [reply] })
  expect(run).toMatchObject({ said: ['Your letter?', message], port: null })
  expect(run.variables).not.toHaveProperty('letter')
})

test('a file of exactly the most bytes is taken', () => {
  const reply = sent(file('a.pdf', 'application/pdf', 1_000_000))
  expect(runKind('file-upload', data({ maxSize: 1 }), { replies: [reply] }).port).toBe('next')
})

test('may be skipped when it is optional, with the button or with no file', () => {
  for (const reply of [skipped, sent()])
    expect(runKind('file-upload', data({ required: false }), { replies: [reply] }).port).toBe('skip')
})

test('after ten replies that do not fit the conversation goes on', () => {
  const replies = Array.from({ length: 10 }, () => typed('no'))
  expect(runKind('file-upload', data(), { replies }).port).toBe('next')
  expect(runKind('file-upload', data({ required: false }), { replies }).port).toBe('skip')
})

test('leaves by no-reply when the time is over', () => {
  expect(runKind('file-upload', data({ noReplyAfter: 5 }), { replies: [{ type: 'timeout' }] }).port).toBe('no-reply')
})

test('limits lie within what an upload may be', () => {
  const valid = (change: object) => fileUploadSchema.safeParse(data(change)).success
  expect([{ maxSize: 100 }, { maxSize: 1 }, { maxCount: 20 }].every(valid)).toBe(true)
  expect([{ maxSize: 101 }, { maxSize: 0 }, { maxCount: 21 }, { maxCount: 0 }].some(valid)).toBe(false)
})

test('is what a file input of another product becomes', () => {
  const mapped = (options: object) => importBlock({ type: 'file input', options })
  expect(mapped({ isMultipleAllowed: true, isRequired: false, labels: { button: 'Upload' } })).toMatchObject({
    kind: 'file-upload',
    data: { maxCount: 20, required: false, accept: 'any', maxSize: 10 },
    notes: [],
  })
  const types = (...types: string[]) => mapped({ allowedFileTypes: { isEnabled: true, types } })
  expect(types('image/png', '.jpg').data.accept).toBe('images')
  expect(types('application/pdf').data.accept).toBe('pdf')
  expect(types('.pdf', 'docx').data.accept).toBe('documents')
  expect(types('video/*')).toMatchObject({
    data: { accept: 'any' },
    notes: ['It took files of certain types; here it takes any.'],
  })
  expect(mapped({ sizeLimit: 500 })).toMatchObject({ data: { maxSize: 100 }, notes: [expect.stringContaining('500')] })
})
