import { expect, test } from 'vitest'
import { checkVariableName, cleanVariableName } from './variableName'

test('what is no letter, digit, underscore or space is stripped from a name', () => {
  expect(cleanVariableName('  Fi$rst-name {1}_ü名 ')).toBe('Firstname 1_ü名')
})

test('a name of nothing but stripped characters is empty', () => {
  expect(checkVariableName('  ', [])).toEqual({ key: 'nameEmpty' })
  expect(checkVariableName('{}-!', [])).toEqual({ key: 'nameEmpty' })
})

test('50 characters are accepted and 51 refused', () => {
  expect(checkVariableName('n'.repeat(50), [])).toBeNull()
  expect(checkVariableName('n'.repeat(51), [])).toEqual({ key: 'nameTooLong', n: 50 })
  expect(checkVariableName(`${'n'.repeat(50)}!`, [])).toBeNull()
})

test('a name that exists is refused, case aside', () => {
  expect(checkVariableName('score', ['Name', 'Score'])).toEqual({ key: 'nameTaken' })
})
