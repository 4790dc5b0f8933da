import { expect, test } from 'vitest'
import { VARIABLE_NAME } from '../flow/schema'
import { findSystemVariable, isReservedId, systemValues, systemVariables } from './systemVariables'

test('each has a reserved id of its own name, which a variable may have', () => {
  for (const { id, name, help } of systemVariables) {
    expect(id).toBe(`sys_${name}`)
    expect(isReservedId(id)).toBe(true)
    expect(name).toMatch(VARIABLE_NAME)
    expect(help).not.toBe('')
    expect(findSystemVariable(id)?.name).toBe(name)
  }
  expect(findSystemVariable('constructor')).toBe(undefined)
})

test('a session begins with those that are known', () => {
  expect(systemValues({ language: 'pt-br', contact_name: null })).toEqual({ sys_language: 'pt-br' })
})
