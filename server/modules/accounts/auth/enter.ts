import type { FastifyReply, FastifyRequest } from 'fastify'
import { openSession, type SecondFactor } from '../../../access/sessions'
import type { ServerContext } from '../../../platform/context'
import { hasDevices, knownDeviceOf, rememberDevice } from './knownDevices'
import type { TellPerson } from './tellPerson'

interface Entering {
  id: string
  email: string
  first_name: string
  /** that the password was checked against; left out: there was none */
  passwordHash?: string
  secondFactor: SecondFactor | null
  /** the project whose identity provider let them in; null: none did */
  signOn?: string | null
}

/** Creates the end of each way to log in: a session, and a mail if the browser was not used for the account before. */
export function createEnter(context: ServerContext, tell: TellPerson) {
  /** @throws ApiError as `openSession` */
  return async (request: FastifyRequest, reply: FastifyReply, entering: Entering): Promise<void> => {
    // the first browser of an account is nothing to be warned of
    const isNew =
      (await hasDevices(context.db, entering.id)) && !(await knownDeviceOf(context, request, entering.email))
    await openSession(context, reply, entering)
    await rememberDevice(context, request, reply, entering.id)
    if (isNew) tell(entering, 'newBrowser', request)
  }
}
