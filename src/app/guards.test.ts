import type { LoaderFunctionArgs } from 'react-router'
import { beforeAll, expect, test } from 'vitest'
import { ApiFailure } from '../api/failure'
import { startI18n } from '../i18n'
import { type GuardName, guard } from './guards'

beforeAll(startI18n)

test('a guard that there is not closes its screens with status 500', async () => {
  for (const name of ['withAcount', 'toString', '']) {
    const args = { params: {}, request: new Request('https://parley.test/') } as LoaderFunctionArgs
    const failure: unknown = await (async () => guard(name as GuardName)(args))().catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ApiFailure)
    expect(failure).toMatchObject({ message: 'Unknown middleware', status: 500 })
  }
})
