import type { FastifyInstance } from 'fastify'
import { registerRoute } from '../../../access/register'
import { Role } from '../../../access/roles'
import { readSandbox, switchSandbox } from '../../../contracts/sandbox'
import type { ServerContext } from '../../../platform/context'
import { ApiError } from '../../../platform/errors'
import type { SandboxSwitch } from './sandboxSwitch'

/** Routes by which an owner has stand-ins in place of vendors. */
export function registerSandbox(app: FastifyInstance, context: ServerContext, sandbox: SandboxSwitch): void {
  registerRoute(app, context, readSandbox, ({ caller }) => sandbox.present(caller.user.id))

  registerRoute(app, context, switchSandbox, async ({ caller, body, origin }) => {
    if (!caller.roles.includes(Role.OWNER)) throw new ApiError('forbidden')
    await sandbox.switch(body, origin, caller.user.id)
    return sandbox.present(caller.user.id)
  })
}
