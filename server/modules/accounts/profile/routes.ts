import type { FastifyInstance } from 'fastify'
import { languageOf } from '../../../access/languageOf'
import { registerRoute } from '../../../access/register'
import { closeOtherSessions, closeSession, SESSION_COOKIE } from '../../../access/sessions'
import * as contract from '../../../contracts/profile'
import type { ServerContext } from '../../../platform/context'
import { ApiError, fieldError } from '../../../platform/errors'
import { createAccountMailer } from '../../../platform/mail/accountMail'
import { mailTexts } from '../../../platform/mail/texts/mailTexts'
import { hashPassword } from '../../../platform/passwords'
import type { AccountParts } from '../accountParts'
import { createBackground } from '../auth/background'
import { refuseCommonPassword } from '../auth/commonPasswords'
import { forgetDevices, rememberDevice } from '../auth/knownDevices'
import { accountDataOf } from './accountData'
import { deleteUser, previewOf } from './deletion'
import { claimEmailChange, issueEmailChange } from './emailChanges'
import { endSessionOf, sessionsOf } from './sessionList'

/** Links sent per account and hour. */
const LINKS = 5
const HOUR = 60 * 60 * 1000

/** Routes for one's own account: name, address, password, sessions, deletion. */
export function registerProfile(
  app: FastifyInstance,
  context: ServerContext,
  { documents, wantPassword }: AccountParts,
): void {
  const { db, clock, config, limits, print } = context
  const links = limits.attempts('links to a new email', LINKS, HOUR)
  const mail = createAccountMailer(context)
  const inBackground = createBackground(app, context, 'a mail about an address could not be sent')

  registerRoute(app, context, contract.updateProfile, async ({ caller: { user }, body }) => {
    await db.updateTable('users').set(body).where('id', '=', user.id).execute()
    return { ui: user.gid, email: user.email, ...body }
  })

  registerRoute(app, context, contract.changePassword, async ({ caller: { user }, body, request, reply }) => {
    await wantPassword(user.id, body.current)
    await refuseCommonPassword(body.password)
    const password_hash = await hashPassword(body.password)
    await db.transaction().execute(async (trx) => {
      // the hash first: a concurrent login with the old one opens its session before this, or not at all
      await trx.updateTable('users').set({ password_hash }).where('id', '=', user.id).execute()
      await closeOtherSessions({ db: trx }, request, user.id)
      await forgetDevices(trx, user.id)
    })
    documents.rightsChanged(user.id)
    await rememberDevice(context, request, reply, user.id)
    const language = await languageOf(db, user.email)
    const told = {
      ...({ template: 'password-changed', language } as const),
      ...{ name: user.first_name, link: `${config.publicUrl}/reset` },
    }
    if (mail) inBackground(mail(user.email, mailTexts(language).passwordChanged.title, told))
    return {}
  })

  registerRoute(app, context, contract.changeEmail, async ({ caller: { user }, body }) => {
    const email = body.email.toLowerCase()
    await wantPassword(user.id, body.current)
    if (email === user.email) throw fieldError('email', 'This is your email already')
    await links.take(user.id)
    const token = await issueEmailChange(db, user.id, email, clock())
    const link = `${config.publicUrl}/confirm-email/${token}`
    const language = await languageOf(db, user.email)
    const asked = { template: 'email-change', language, name: user.first_name, link, changedTo: null } as const
    if (mail) inBackground(mail(email, mailTexts(language).emailChange.title, asked))
    else print(`The new email ${email} of ${user.email} is confirmed by this link, within an hour: ${link}`)
    return { by_mail: mail !== null }
  })

  registerRoute(app, context, contract.confirmEmail, async ({ body }) => {
    const changed = await db.transaction().execute((trx) => claimEmailChange(trx, body.token, clock()))
    const language = await languageOf(db, changed.email)
    const names = { name: changed.first_name, changedTo: changed.email }
    const told = { template: 'email-change', language, link: '', ...names } as const
    if (mail) inBackground(mail(changed.before, mailTexts(language).emailChange.done.title, told))
    return { email: changed.email }
  })

  registerRoute(app, context, contract.listSessions, async ({ caller, request }) => ({
    sessions: await sessionsOf(db, caller.user.id, request.cookies[SESSION_COOKIE] ?? '', clock()),
  }))

  registerRoute(app, context, contract.endOtherSessions, async ({ caller: { user }, request }) => {
    const ended = await closeOtherSessions({ db }, request, user.id)
    documents.rightsChanged(user.id)
    return { ended }
  })

  registerRoute(app, context, contract.endSession, async ({ caller: { user }, params }) => {
    if (!(await endSessionOf(db, user.id, params.gid))) throw new ApiError('not_found')
    documents.rightsChanged(user.id)
    return {}
  })

  registerRoute(app, context, contract.readAccountData, ({ caller, request }) =>
    accountDataOf(db, caller.user.id, request.cookies[SESSION_COOKIE] ?? '', clock()),
  )

  registerRoute(app, context, contract.previewDeletion, ({ caller }) => previewOf(db, caller.user.id))

  registerRoute(app, context, contract.deleteAccount, async ({ caller: { user }, body, request, reply }) => {
    await wantPassword(user.id, body.current)
    await db.transaction().execute((trx) => deleteUser(context, trx, user.id, request.id))
    await closeSession(context, request, reply)
    context.jobs.wake()
    documents.rightsChanged(user.id)
    return {}
  })
}
