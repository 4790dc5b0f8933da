import type { FastifyInstance } from 'fastify'
import type { ServerContext } from '../../platform/context'
import type { Documents } from '../flows/collab/documents'
import { createEnter } from './auth/enter'
import { createTellPerson } from './auth/tellPerson'
import { createWantPassword } from './auth/wantPassword'
import { createTakeCode } from './two-factor/takeCode'
import { createTwoFactor } from './two-factor/twoFactor'

/** Creates what the routes of accounts share: limits count together only if they are one. */
export function createAccountParts(app: FastifyInstance, context: ServerContext, documents: Documents) {
  const tell = createTellPerson(app, context)
  const twoFactor = createTwoFactor(context)
  return {
    documents,
    tell,
    twoFactor,
    takeCode: createTakeCode(context, twoFactor),
    enter: createEnter(context, tell),
    wantPassword: createWantPassword(context),
  }
}
export type AccountParts = ReturnType<typeof createAccountParts>
