import type { FastifyInstance } from 'fastify'
import type { ProjectCaller } from '../../access/access'
import { chatbotOf } from '../../access/chatbots'
import { registerRoute } from '../../access/register'
import { beginSignup, connectSignup, finishSignup } from '../../contracts/whatsappSignup'
import type { ServerContext } from '../../platform/context'
import type { ConnectNumber } from './connectNumber'
import type { Signup } from './signup'

/** Connecting a number by consenting at Meta, where this installation has an app there. */
export function registerSignup(
  app: FastifyInstance,
  context: ServerContext,
  { signup, connectNumber }: { signup: Signup; connectNumber: ConnectNumber },
): void {
  registerRoute(app, context, beginSignup, async ({ caller, params }) => ({
    url: signup.begin((await attemptOf(caller, params.cgid)).attempt),
  }))

  registerRoute(app, context, finishSignup, async ({ caller, params, body }) =>
    signup.finish((await attemptOf(caller, params.cgid)).attempt, body),
  )

  registerRoute(app, context, connectSignup, async ({ caller, params: { cgid }, body, origin }) => {
    const { attempt, chatbotId } = await attemptOf(caller, cgid)
    const { grant, ...number } = body
    await connectNumber(caller, { cgid, chatbotId }, { ...number, ...signup.keysOf(attempt, grant) }, origin)
    return {}
  })
}

async function attemptOf({ db, project, user }: ProjectCaller, cgid: string) {
  const { id: chatbotId } = await chatbotOf(db, project.id, cgid)
  return { chatbotId, attempt: { project, cgid, userId: user.id } }
}
