import pg from 'pg'
import { expect, test } from 'vitest'
import { createScopes, worksAsRole } from './projectRole'

/** A connection whose server answers as it is told, and what it was asked. */
function connection(answer: (text: string) => void = () => {}) {
  const asked: string[] = []
  const query = async (statement: string | { values: string[] }) => {
    const text = typeof statement === 'string' ? statement : statement.values.join(' ')
    asked.push(text)
    answer(text)
  }
  return { client: { query } as unknown as pg.PoolClient, asked }
}
const refusing = (code: string) =>
  connection(() => {
    throw Object.assign(new pg.DatabaseError('refused', 7, 'error'), { code })
  }).client

test('a login can use the role, can’t, or it is not known: then it fails', async () => {
  const { client, asked } = connection()
  expect(await worksAsRole(client)).toBe(true)
  expect(asked).toEqual(['set role parley_project', 'reset role'])
  for (const code of ['42501', '22023']) expect(await worksAsRole(refusing(code)), code).toBe(false)
  for (const code of ['53300', '57P01']) await expect(worksAsRole(refusing(code)), code).rejects.toThrow('refused')
  const broken = connection(() => {
    throw Object.assign(new Error('broken'), { code: '42501' })
  })
  await expect(worksAsRole(broken.client)).rejects.toThrow('broken')
})

test('a connection is set to a project when it changes hands, and only then', async () => {
  const { client, asked } = connection()
  const { enter } = createScopes()
  const after = async (projectId: string | null) => {
    asked.length = 0
    await enter(client, projectId)
    return asked.filter((text) => !/^(re)?set role/.test(text))
  }
  expect(await after(null)).toEqual([])
  expect(await after('1')).toEqual(['parley_project 1'])
  expect(await after('1')).toEqual([])
  expect(await after('2')).toEqual(['parley_project 2'])
  expect(await after(null)).toEqual(['none '])
  expect(await after(null)).toEqual([])
})

test('without the role a project’s connection stays as it is', async () => {
  const { enter } = createScopes()
  const { client, asked } = connection((text) => {
    if (text.startsWith('set role')) throw Object.assign(new pg.DatabaseError('no', 2, 'error'), { code: '42501' })
  })
  for (const projectId of ['1', '2']) await enter(client, projectId)
  expect(asked).toEqual(['set role parley_project'])
})
