import { expect, test } from 'vitest'
import { guessMapping } from './guessMapping'

const guess = (...names: string[]) =>
  guessMapping(
    names.map((name) => ({ name, sample: [] })),
    [{ gid: 'a'.repeat(16), name: 'Company size', type: 'number', choices: [], in_table: true }],
  )

test('finds fields by the names of columns, each once', () => {
  expect(guess('Full name', 'E-Mail', 'Mail', 'company_size', ': Plan', 'Tags', '???').columns).toEqual([
    ...['name', 'email', '', 'custom:Company size', 'custom:Plan', 'tags', ''],
  ])
})

test('tells people apart by what is there', () => {
  expect([guess('Email').key, guess('Phone number').key, guess('External ID').key, guess('Name').key]).toEqual([
    ...['email', 'phone', 'user_id', 'none'],
  ])
})
