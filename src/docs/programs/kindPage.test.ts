import { describe, expect, test } from 'vitest'
import { registry } from '../../../blocks/registry'
import { outputsOf } from './kindOutputs'
import { kindPage } from './kindPage'
import { settingsOf } from './kindSettings'

const setting = (kind: string, label: string) => settingsOf(registry.get(kind)).find((each) => each.label === label)

describe('the settings of a kind are read from its schema and its texts', () => {
  test('a number has its range and what a new block has', () => {
    const { type, limits, initial } = setting('http-request', 'Timeout in seconds') ?? {}
    expect({ type, limits, initial }).toEqual({ type: 'Whole number', limits: '1 to 30', initial: '10' })
  })

  test('a rule beyond the range is told in its words', () => {
    expect(setting('wait', 'Duration')?.limits).toBe('between 1 second and 30 days')
  })

  test('a text has the limit that its schema refuses beyond', () => {
    expect(setting('buttons', 'Options: Option')).toMatchObject({
      type: 'Text with variables',
      limits: '75 characters',
    })
  })

  test('choices are named as in the form', () => {
    expect(setting('wait', 'Unit')).toMatchObject({ type: 'One of: Seconds, Minutes, Hours, Days', initial: 'Seconds' })
  })

  test('what a block sets or reads is a variable', () => {
    expect(setting('text-input', 'Save the answer to')?.type).toBe('Variable')
    expect(setting('wait', 'Duration from a variable')?.type).toBe('Variable')
  })
})

test('an output that a setting makes is listed with the setting', () => {
  expect(outputsOf(registry.get('text-input'))).toContainEqual({
    label: 'No reply',
    when: '“Timeout in seconds” is set',
  })
})

test.each(registry.kinds.map(({ kind }) => kind))('the page of %s means nothing to Vue', (kind) => {
  const page = kindPage(registry.get(kind))
  expect(page).toContain('## Outputs')
  expect(page).not.toMatch(/\{\{|<(?!br>)/)
})
