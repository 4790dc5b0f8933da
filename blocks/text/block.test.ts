import { expect, test } from 'vitest'
import { runKind } from '../../tests/support/conversations'
import { textDefaults, textSchema } from './schema'

const content = (...children: object[]) => ({ content: [{ type: 'paragraph', children }] })
const chip = (variable_id: string) => ({ text: '', variable: true, variable_id })

test('says its text with the values of variables', () => {
  const run = runKind('text', content({ text: 'Hello ' }, chip('name'), { text: '!' }), { variables: { name: 'Ada' } })
  expect(run).toMatchObject({ said: ['Hello Ada!'], port: 'next' })
})

test('an unset variable and one that is gone print as nothing', () => {
  const data = content({ text: 'Hello ' }, chip('name'), chip('gone'), { text: '!' })
  expect(runKind('text', data, { variables: { name: null } }).said).toEqual(['Hello !'])
})

test('a blank text is not said', () => {
  expect(runKind('text', textDefaults())).toMatchObject({ said: [], port: 'next' })
  expect(runKind('text', content({ text: ' ' }, chip('name')), { variables: { name: '' } }).said).toEqual([])
})

test('takes 20000 characters and refuses one more, chips not counted', () => {
  expect(textSchema.safeParse(content({ text: 'x'.repeat(20_000) }, chip('name'))).success).toBe(true)
  expect(textSchema.safeParse(content({ text: 'x'.repeat(20_001) })).error?.issues[0]?.message).toBe(
    'Must not exceed 20000 characters',
  )
})
