import type { FastifyInstance } from 'fastify'
import { activeDomainOf } from '../../../access/chatbots'
import { registerRoute } from '../../../access/register'
import { authenticate } from '../../../access/sessions'
import { refusalOfSignIn } from '../../../access/signInRule'
import { enterShared, unlockChat } from '../../../contracts/chat'
import { shareSlug } from '../../../contracts/chatbots'
import type { ServerContext } from '../../../platform/context'
import { ApiError } from '../../../platform/errors'
import { callerAddress } from '../../../platform/http/callerAddress'
import { chatUrlOf } from '../../../platform/http/chatOrigin'
import { verifyPassword } from '../../../platform/passwords'
import { makePass } from '../runtime/shareLock'
import { findPublished } from './findPublished'

/** Wrong passwords that one page takes in ten minutes: from one address, and from all. */
const WRONG_PASSWORDS = { address: 10, page: 200 }
const WINDOW = 600_000

/** The ways into a shared page that is locked. */
export function registerSharedPage(app: FastifyInstance, context: ServerContext): void {
  const ofAddress = context.limits.attempts('passwords of an address', WRONG_PASSWORDS.address, WINDOW)
  const ofPage = context.limits.attempts('passwords of a shared page', WRONG_PASSWORDS.page, WINDOW)

  registerRoute(app, context, unlockChat, async ({ params, body, request }) => {
    const { lock, chatbotId } = await findPublished(context, params.slug)
    if (!lock || lock.members || lock.passwordHash === null) throw new ApiError('not_found')
    const address = `${chatbotId} ${callerAddress(request.ip)}`
    await ofAddress.take(address)
    await ofPage.take(chatbotId)
    if (!(await verifyPassword(lock.passwordHash, body.password)))
      throw new ApiError('wrong_password', { fields: { password: 'Wrong password.' } })
    await Promise.all([ofAddress.forgive(address), ofPage.forgive(chatbotId)])
    return { access: makePass(lock, null, context.clock()) }
  })

  /*
   * The page may have an origin of its own, where no session is: so who is logged in is asked on the builder's, by a
   * navigation, which sends the session's cookie. The pass comes back in the address's fragment, which no server and no
   * log sees.
   */
  registerRoute(app, context, enterShared, async ({ params: { slug }, query, request, reply }) => {
    if (!shareSlug.safeParse(slug).success) throw new ApiError('not_found')
    const { lock, projectId, chatbotId } = await findPublished(context, slug)
    // the host is looked up, never taken from the call: the pass goes there
    const domain = query.from && (await activeDomainOf(context.db, { projectId, chatbotId }))
    const page = domain ? `https://${domain}/` : `${chatUrlOf(context.config)}/c/${slug}`
    if (!lock?.members) return reply.redirect(page)
    const user = await authenticate(context, request)
    if (!user)
      return reply.redirect(`/login?next=${encodeURIComponent(pathOfEntry(slug, domain ? 'domain' : undefined))}`)
    const member = await context.db
      .forProject(projectId)
      .selectFrom('project_members')
      .innerJoin('projects', 'projects.id', 'project_members.project_id')
      .select(['projects.id', 'second_factor_required', 'sign_on_domains', 'by_sign_on'])
      .where('user_id', '=', user.id)
      .executeTakeFirst()
    const opens = member !== undefined && refusalOfSignIn(member, user) === null
    return reply.redirect(`${page}#${opens ? `access=${makePass(lock, user.id, context.clock())}` : 'no-member'}`)
  })
}

/** Where a member's log-in leads, on the builder's origin. @param from where the member comes back to */
export const pathOfEntry = (slug: string, from?: 'domain'): string =>
  enterShared.path.replace(':slug', encodeURIComponent(slug)) + (from ? `?from=${from}` : '')
