import type { FastifyInstance } from 'fastify'
import { refuseCaptured } from '../../../access/capturedEmail'
import { knownLanguage } from '../../../access/languageOf'
import { registerRoute } from '../../../access/register'
import { openSession } from '../../../access/sessions'
import { askToRegister, finishRegistration, lookAtRegistration, register } from '../../../contracts/auth'
import type { InterfaceLanguage } from '../../../contracts/languages'
import type { ServerContext } from '../../../platform/context'
import { ApiError } from '../../../platform/errors'
import { callerAddress } from '../../../platform/http/callerAddress'
import { createAccountMailer } from '../../../platform/mail/accountMail'
import { mailTexts } from '../../../platform/mail/texts/mailTexts'
import { hashPassword } from '../../../platform/passwords'
import { addProject } from '../projects/addProject'
import { createBackground } from './background'
import { refuseCommonPassword } from './commonPasswords'
import { createUser, insertUser } from './createUser'
import { rememberDevice } from './knownDevices'
import { presentUser } from './presenter'
import { claimRegistration, closedRegistration, issueRegistration, registrationOf } from './registrations'
import { hasUsers } from './setup'

const HOUR = 60 * 60 * 1000
/** Per hour and address: registrations refused because the email has an account. */
const TAKEN = 10
/** Per hour and email, whoever requests them: prevents flooding a mailbox. */
const LINKS = 5

/**
 * Routes for creating accounts without an invitation. README.md explains why it goes by mail if there is a mail server.
 */
export function registerRegistration(app: FastifyInstance, context: ServerContext): void {
  const { db, clock, config, limits } = context
  const taken = limits.attempts('taken emails of an address', TAKEN, HOUR)
  const links = limits.attempts('links to register', LINKS, HOUR)
  const mail = createAccountMailer(context)
  const inBackground = createBackground(app, context, 'a link to register could not be sent')

  registerRoute(app, context, register, async ({ body, request, reply }) => {
    const address = callerAddress(request.ip)
    if (mail && (await hasUsers(db))) {
      refuseClosed()
      throw new ApiError('conflict', { message: 'Accounts are created by email here. Please refresh the page.' })
    }
    await refuseCaptured(db, body.email, body.own_account)
    await refuseCommonPassword(body.password)
    // counted in advance, so that a hundred parallel calls don't test a hundred addresses
    await taken.take(address)
    const user = await createUser(context, body, request.id)
    await taken.forgive(address)
    await openSession(context, reply, { id: user.id })
    await rememberDevice(context, request, reply, user.id)
    return { user: presentUser(user) }
  })

  registerRoute(app, context, askToRegister, async ({ body }) => {
    if (!(await hasUsers(db))) throw new ApiError('setup_required')
    refuseClosed()
    if (!mail) throw new ApiError('conflict', { message: 'There is no mail server here. Please refresh the page.' })
    await refuseCaptured(db, body.email, body.own_account)
    inBackground(sendLink(body.email.toLowerCase(), body.language ?? 'en'))
    return {}
  })

  registerRoute(app, context, lookAtRegistration, async ({ body: { token } }) => ({
    email: await registrationOf(db, token, clock()),
  }))

  registerRoute(app, context, finishRegistration, async ({ body: { token, password, ...names }, request, reply }) => {
    refuseClosed()
    await refuseCommonPassword(password)
    // hashing is expensive: first check whether the link is valid
    const address = await registrationOf(db, token, clock())
    if (address === null) throw closedRegistration()
    // asked before the link was sent; what has to be may have changed since
    await refuseCaptured(db, address, true)
    const password_hash = await hashPassword(password)
    const user = await db.transaction().execute(async (trx) => {
      const email = await claimRegistration(trx, token, clock())
      const made = await insertUser(context, trx, { ...names, email, password_hash, email_verified: true })
      await addProject(context, trx, made.id, 'My project', request.id)
      return made
    })
    await openSession(context, reply, { id: user.id })
    await rememberDevice(context, request, reply, user.id)
    return { user: presentUser(user) }
  })

  /** Only the mail's text reveals whether the account exists. */
  async function sendLink(email: string, wanted: InterfaceLanguage): Promise<void> {
    try {
      await links.take(email)
    } catch {
      return
    }
    const known = await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst()
    const link = known
      ? `${config.publicUrl}/login`
      : `${config.publicUrl}/register?token=${await issueRegistration(db, email, clock())}`
    const language = (await knownLanguage(db, email)) ?? wanted
    const { title, known: other } = mailTexts(language).registration
    await mail?.(email, known ? other.title : title, {
      ...{ template: 'registration', language, link, known: known !== undefined },
    })
  }

  function refuseClosed(): void {
    if (config.registration === 'closed') throw new ApiError('registration_closed')
  }
}
